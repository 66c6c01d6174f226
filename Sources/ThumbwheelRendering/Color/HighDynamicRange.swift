import ThumbwheelCore

/// The conversion from PQ or HLG to sRGB. Its steps are:
///
/// 1. from samples to light; for HLG, from the light of the scene to the light of a screen,
/// 2. the tone map,
/// 3. a matrix to the primaries of sRGB, and the gamut map,
/// 4. the transfer curve of sRGB.
///
/// The tone map multiplies the red, green and blue of a pixel by the same factor, so that highlights keep their hue.
/// The factor depends on the brightest of the three.
struct HighDynamicRange {
    // The light for each value of a sample. For PQ, it is a multiple of the reference white. For HLG, it is the light
    // of the scene, from 0 to 1.
    private let light: [Float]
    private let matrix: [SIMD3<Float>]
    // The weights by which HLG computes the luminance of the scene; nil for PQ.
    private let luminance: SIMD3<Float>?

    /// Makes the conversion from a colour space in PQ or HLG.
    ///
    /// - Returns: nil if the primaries cannot belong to real colours.
    init?(_ colors: CodedColors) {
        guard let fromXYZ = Matrix3.sRGB.inverse else { return nil }
        let unit = colors.transfer == .pq ? ToneMap.white : 1
        light = colors.light.map { Float($0 / unit) }
        matrix = (fromXYZ * colors.space.toXYZUnderD50).rows.map { SIMD3<Float>($0) }
        luminance = colors.transfer == .hlg ? SIMD3<Float>(colors.space.toXYZ.rows[1]) : nil
    }

    /// Tables of gains, which are factors for light: `toneGains` for the tone map, and `displayGains` from the light of
    /// the scene to the light of a screen. A table's index grows with the square root of the light, so that the table
    /// is finest near black.
    private static let toneGains = gains(upTo: ToneMap.peak / ToneMap.white) { $0 > 0 ? ToneMap.level($0) / $0 : 1 }
    private static let displayGains = gains(upTo: 1) { ToneMap.displayGain(sceneLuminance: $0) }
    private static let stepCount = 4096

    private static func gains(upTo most: Double, _ gain: (Double) -> Double) -> [Float] {
        (0...stepCount).map { step in
            let root = Double(step) / Double(stepCount)
            return Float(gain(root * root * most))
        }
    }

    private static func gain(_ table: [Float], _ share: Float) -> Float {
        let place = min(1, share).squareRoot() * Float(stepCount)
        let index = min(Int(place), stepCount - 1)
        return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
    }

    /// The factor that converts the light of an HLG scene to the light of a screen. The light of the scene goes from 0
    /// to 1, and the light of the screen is in units of the reference white.
    static func displayGain(sceneLuminance: Float) -> Float { gain(displayGains, sceneLuminance) }

    /// Converts a pixel's samples to linear sRGB light, in which 1 is white.
    private func converted(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> SIMD3<Float> {
        var color = SIMD3(light[Int(red)], light[Int(green)], light[Int(blue)])
        if let luminance { color *= Self.displayGain(sceneLuminance: (color * luminance).sum()) }
        color = Self.toneMapped(color)
        return GamutMap.insideSRGB(
            SIMD3((matrix[0] * color).sum(), (matrix[1] * color).sum(), (matrix[2] * color).sum()))
    }

    @inline(__always)
    private static func toneMapped(_ color: SIMD3<Float>) -> SIMD3<Float> {
        let most = Float(ToneMap.peak / ToneMap.white)
        // Light brighter than the peak is reduced to it, by the same factor in all three colours.
        let brightest = color.max()
        let mapped = brightest > most ? color * (most / brightest) : color
        return mapped * gain(toneGains, max(0, brightest / most))
    }

    /// Converts linear sRGB light of any brightness and any colour to light that an sRGB screen can show. The tone map
    /// compresses the brightness, and the gamut map moves colours into sRGB.
    static func toned(_ light: SIMD3<Float>) -> SIMD3<Float> { GamutMap.insideSRGB(toneMapped(light)) }

    /// The bitmap converted to sRGB; alpha is unchanged.
    func applied(to bitmap: Bitmap, checking guardian: DecodeGuard) throws(RenderError) -> Bitmap {
        let step = bitmap.format.bytesPerPixel
        return try Bitmap(size: bitmap.size, format: bitmap.format) { target throws(RenderError) in
            bitmap.withUnsafeBytes { target.copyMemory(from: $0) }
            for row in 0..<bitmap.size.height {
                if row % 16 == 0 { try guardian.check() }
                let start = row * bitmap.bytesPerRow
                for place in stride(from: start, to: start + bitmap.size.width * step, by: step) {
                    let color = converted(target[place], target[place + 1], target[place + 2])
                    for channel in 0..<3 {
                        let value = max(0, min(1, color[channel])) * 65535
                        target[place + channel] = TransferCurve.encoded[Int(value.rounded())]
                    }
                }
            }
        }
    }
}
