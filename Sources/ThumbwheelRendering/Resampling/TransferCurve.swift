import Foundation

/// The sRGB transfer curve (IEC 61966-2-1) as tables.
enum TransferCurve {
    /// The linear light, from 0 to 1, of each encoded byte.
    static let linear: [Float] = (0..<256).map { byte in
        let encoded = Double(byte) / 255
        return Float(encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4))
    }

    /// The linear light of each encoded byte, as a whole number from 0 to 65 280 (255·256).
    static let light: [UInt16] = linear.map { UInt16(($0 * 65280).rounded()) }

    /// The encoded byte for each value of linear light from 0 to 65 535. These steps are fine enough to tell the
    /// darkest bytes apart.
    static let encoded: [UInt8] = (0..<65536).map { value in
        let linear = Double(value) / 65535
        let encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
        return UInt8((encoded * 255).rounded())
    }
}
