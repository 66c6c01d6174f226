/// Several octaves of value noise, each twice as fine as the one before and fainter by `gain`/256.
///
/// With a gain of 128 the amplitudes fall as 1/f, which is what photographs of nature do; it is what makes the sizes of
/// the compressed files, and the number of coefficients in a block, resemble those of a camera.
struct FractalNoise {
    let seed: UInt32
    var gain: Int32 = 128
    var octaves = 12

    /// Adds noise to a row.
    ///
    /// `step` and `rowStep` say how much of a cell of the first octave lies between neighbouring pixels across and down.
    /// An octave too fine for the pixels would be aliased into a hiss, so it is faded out, and the loop ends there.
    func add(
        to row: UnsafeMutablePointer<Int32>, count: Int, step: LatticePosition, rowStep: LatticePosition,
        y: LatticePosition, amplitude: Int32
    ) {
        var amplitude = amplitude
        for octave in 0..<octaves {
            let coarsest = max(step, rowStep) << octave
            if coarsest >= Self.tooFine || amplitude < 1 { return }
            var faded = amplitude
            if coarsest > Self.fine {
                faded = Int32(Int(amplitude) * ((Self.tooFine - coarsest) >> 20) / ((Self.tooFine - Self.fine) >> 20))
            }
            ValueNoise(seed: seed &+ UInt32(octave) &* 0x632B_E5AB)
                .add(to: row, count: count, step: step << octave, y: y << octave, amplitude: faded)
            amplitude = (amplitude * gain) >> 8
        }
    }

    /// 0.45 and 0.8 cells per pixel.
    private static let fine = 1_932_735_283
    private static let tooFine = 3_435_973_837
}
