import Foundation
import ThumbwheelCore

/// The way from a colour space to sRGB by tables: a curve for each channel, a matrix, sRGB's own curve.
///
/// Relative colorimetric, which for profiles of curves and a matrix is all there is (ICC.1:2022, F.3). What lies outside
/// sRGB is cut off.
final class ColorTransform: Sendable {
    // Light in 65 535ths for each sample of red, green and blue.
    private let light: [Int32]
    // Row by row, in 8192nds; a grey transform has none.
    private let matrix: [Int32]

    private init(curves: [ToneCurve], matrix: Matrix3) {
        light = curves.flatMap { curve in (0..<256).map { Int32((curve.light(Double($0) / 255) * 65535).rounded()) } }
        self.matrix = matrix.rows.flatMap { row in (0..<3).map { Int32((row[$0] * 8192).rounded()) } }
    }

    private init(luminance: (Double) -> Double) {
        light = (0..<256).map { Int32((max(0, min(1, luminance(Double($0) / 255))) * 65535).rounded()) }
        matrix = []
    }

    var isGrey: Bool { matrix.isEmpty }

    /// EXIF's Adobe RGB: a power of 563/256.
    static let adobeRGB = ColorTransform(
        curves: Array(repeating: .power(563.0 / 256), count: 3),
        matrix: (Matrix3.sRGB.inverse ?? .sRGB) * .adobeRGB)

    /// The transform of an ICC profile; nil for one that is not made of curves and a matrix, or of a single grey curve.
    convenience init?(profile: [UInt8]) {
        guard let tags = ProfileTags(profile) else { return nil }
        switch (tags.colorSpace, tags.connectionSpace) {
        case ("RGB ", "XYZ "):
            guard let red = tags.curve("rTRC"), let green = tags.curve("gTRC"), let blue = tags.curve("bTRC"),
                let x = tags.colorant("rXYZ"), let y = tags.colorant("gXYZ"), let z = tags.colorant("bXYZ"),
                let toSRGB = Matrix3.sRGB.inverse
            else { return nil }
            let colorants = Matrix3(rows: (0..<3).map { SIMD3(x[$0], y[$0], z[$0]) })
            let matrix = toSRGB * colorants
            // Beyond that the sums below would not fit 32 bits, and no camera sees such colours.
            guard matrix.rows.allSatisfy({ abs($0.x) + abs($0.y) + abs($0.z) < 3.9 }) else { return nil }
            self.init(curves: [red, green, blue], matrix: matrix)
        case ("GRAY", "XYZ "):
            guard let curve = tags.curve("kTRC") else { return nil }
            self.init(luminance: curve.light)
        case ("GRAY", "Lab "):
            guard let curve = tags.curve("kTRC") else { return nil }
            // The curve gives lightness (CIE 1976).
            self.init { sample in
                let lightness = curve.light(sample) * 100
                return lightness > 8 ? pow((lightness + 16) / 116, 3) : lightness * 27 / 24389
            }
        default:
            return nil
        }
    }

    /// The bitmap's pixels in sRGB; alpha stays.
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
