import Foundation

/// The contents of an ICC profile that has no look-up tables: curves and a matrix, or a single grey curve.
enum ProfileModel {
    /// Three curves, for red, green and blue, and the matrix from linear light to XYZ under D50.
    case rgb([ToneCurve], toXYZ: Matrix3)
    /// The function from the value of a grey sample to light, both from 0 to 1.
    case grey((Double) -> Double)

    /// - Returns: nil unless the profile consists of curves and a matrix, or of a single grey curve.
    init?(_ profile: [UInt8]) {
        guard let tags = ProfileTags(profile) else { return nil }
        switch (tags.colorSpace, tags.connectionSpace) {
        case ("RGB ", "XYZ "):
            guard let red = tags.curve("rTRC"), let green = tags.curve("gTRC"), let blue = tags.curve("bTRC"),
                let x = tags.colorant("rXYZ"), let y = tags.colorant("gXYZ"), let z = tags.colorant("bXYZ")
            else { return nil }
            self = .rgb([red, green, blue], toXYZ: Matrix3(rows: (0..<3).map { SIMD3(x[$0], y[$0], z[$0]) }))
        case ("GRAY", "XYZ "):
            guard let curve = tags.curve("kTRC") else { return nil }
            self = .grey(curve.light)
        case ("GRAY", "Lab "):
            guard let curve = tags.curve("kTRC") else { return nil }
            // The profile converts to CIELAB, so its curve gives the lightness L* (CIE 1976) instead of light.
            self = .grey { sample in
                let lightness = curve.light(sample) * 100
                return lightness > 8 ? pow((lightness + 16) / 116, 3) : lightness * 27 / 24389
            }
        default:
            return nil
        }
    }
}
