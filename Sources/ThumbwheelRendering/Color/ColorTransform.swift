/// A transform from a colour space to sRGB by tables: a curve for each channel, a matrix, and the curve of sRGB.
///
/// The rendering intent is relative colorimetric, the only one that is possible for a profile with curves and a matrix
/// (ICC.1:2022, F.3). Colours outside sRGB are clipped.
final class ColorTransform: Sendable {
    // The light for each of the 256 values of red, then of green, then of blue, in units of 1/65 535. A grey transform
    // has only 256 entries.
    private let light: [Int32]
    // The matrix row by row, in units of 1/8192; empty for a grey transform.
    private let matrix: [Int32]
    /// Whether the colour space is sRGB, so that no conversion is needed. It counts as sRGB if the transform changes no
    /// sample by more than two levels, because the numbers in profiles are rounded.
    let isSRGB: Bool

    private init(curves: [ToneCurve], matrix: Matrix3) {
        let light = curves.flatMap { curve in
            (0..<256).map { Int32((curve.light(Double($0) / 255) * 65535).rounded()) }
        }
        let weights = matrix.rows.flatMap { row in (0..<3).map { Int32((row[$0] * 8192).rounded()) } }
        self.light = light
        self.matrix = weights
        isSRGB = Self.isIdentity(light, weights)
    }

    private init(luminance: (Double) -> Double) {
        let light = (0..<256).map { Int32((max(0, min(1, luminance(Double($0) / 255))) * 65535).rounded()) }
        self.light = light
        matrix = []
        isSRGB = light.indices.allSatisfy { abs(Int(TransferCurve.encoded[Int(light[$0])]) - $0) <= Self.tolerance }
    }

    /// The largest change of a sample, in levels, by a profile that still counts as sRGB. Profiles of sRGB change
    /// samples by one level at most, even if their curves are tables of only twenty points. Profiles of cameras that
    /// are not sRGB, whatever their names, change samples by eight levels or more.
    private static let tolerance = 2

    /// Whether the transform changes no sample by more than `tolerance`. It is tested on greys, primary colours and
    /// mixtures of two primaries, at all 256 levels.
    private static func isIdentity(_ light: [Int32], _ matrix: [Int32]) -> Bool {
        for mixture in 1..<8 {
            for level in 0..<256 {
                let samples = (0..<3).map { mixture >> $0 & 1 == 1 ? level : 0 }
                for row in 0..<3 {
                    let sum = (0..<3).reduce(Int32(4096)) {
                        $0 &+ matrix[row * 3 + $1] &* light[$1 * 256 + samples[$1]]
                    }
                    let encoded = TransferCurve.encoded[Int(max(0, min(65535, sum &>> 13)))]
                    guard abs(Int(encoded) - samples[row]) <= tolerance else { return false }
                }
            }
        }
        return true
    }

    var isGrey: Bool { matrix.isEmpty }

    /// The transform of Adobe RGB (1998), for files whose EXIF data name it. Its curve is a power of 563/256.
    static let adobeRGB = ColorTransform(
        curves: Array(repeating: .power(563.0 / 256), count: 3),
        matrix: (Matrix3.sRGB.inverse ?? .sRGB) * .adobeRGB)

    /// Makes a transform of a colour space whose channels share one curve.
    ///
    /// - Parameters:
    ///   - light: for each of the 256 values of a sample, the linear light that the value stands for.
    ///   - toXYZ: the matrix from that light to XYZ under D50.
    /// - Returns: nil if the matrix cannot belong to real colours.
    convenience init?(light: [Double], toXYZ: Matrix3) {
        guard let matrix = Self.toSRGB(toXYZ) else { return nil }
        self.init(curves: Array(repeating: .table(light), count: 3), matrix: matrix)
    }

    /// Returns the matrix from a colour space to sRGB. Returns nil for a matrix with numbers so large that sums in
    /// `applyMatrix` would exceed 32 bits. The colour space of a camera never leads to such a matrix.
    ///
    /// - Parameter toXYZ: the matrix from the colour space to XYZ under D50.
    private static func toSRGB(_ toXYZ: Matrix3) -> Matrix3? {
        guard let fromXYZ = Matrix3.sRGB.inverse else { return nil }
        let matrix = fromXYZ * toXYZ
        return matrix.rows.allSatisfy({ abs($0.x) + abs($0.y) + abs($0.z) < 3.9 }) ? matrix : nil
    }

    /// Makes the transform of an ICC profile; nil unless the profile consists of curves and a matrix, or of a single
    /// grey curve.
    convenience init?(profile: [UInt8]) {
        switch ProfileModel(profile) {
        case .rgb(let curves, let toXYZ)?:
            guard let matrix = Self.toSRGB(toXYZ) else { return nil }
            self.init(curves: curves, matrix: matrix)
        case .grey(let luminance)?: self.init(luminance: luminance)
        case nil: return nil
        }
    }

    /// The bitmap converted to sRGB; alpha is unchanged.
    func applied(to bitmap: Bitmap) -> Bitmap {
        let step = bitmap.format.bytesPerPixel
        return Bitmap(size: bitmap.size, format: bitmap.format) { target in
            bitmap.withUnsafeBytes { source in
                target.copyMemory(from: source)
                if isGrey { applyGrey(to: target, step: step) } else { applyMatrix(to: target, step: step) }
            }
        }
    }

    private func applyGrey(to pixels: UnsafeMutableRawBufferPointer, step: Int) {
        let levels = light.map { TransferCurve.encoded[Int($0)] }
        for start in stride(from: 0, to: pixels.count - step + 1, by: step) {
            for channel in start..<start + 3 { pixels[channel] = levels[Int(pixels[channel])] }
        }
    }

    private func applyMatrix(to pixels: UnsafeMutableRawBufferPointer, step: Int) {
        let (a, b, c) = (matrix[0], matrix[1], matrix[2])
        let (d, e, f) = (matrix[3], matrix[4], matrix[5])
        let (g, h, i) = (matrix[6], matrix[7], matrix[8])
        light.withUnsafeBufferPointer { light in
            TransferCurve.encoded.withUnsafeBufferPointer { encoded in
                @inline(__always) func level(_ sum: Int32) -> UInt8 {
                    encoded[Int(max(0, min(65535, (sum &+ 4096) &>> 13)))]
                }
                guard var place = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                for _ in 0..<pixels.count / step {
                    let red = light[Int(place[0])]
                    let green = light[256 &+ Int(place[1])]
                    let blue = light[512 &+ Int(place[2])]
                    place[0] = level(a &* red &+ b &* green &+ c &* blue)
                    place[1] = level(d &* red &+ e &* green &+ f &* blue)
                    place[2] = level(g &* red &+ h &* green &+ i &* blue)
                    place += step
                }
            }
        }
    }
}
