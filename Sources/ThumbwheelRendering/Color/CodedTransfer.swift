import Foundation

/// A transfer curve: the function from the value of a sample to light (ITU-T H.273, table 3).
enum CodedTransfer: Equatable {
    /// The curve of sRGB. As in browsers, it is also used in place of the curves of BT.709 and similar standards. Those
    /// standards define curves for cameras, but sRGB's is the curve of screens.
    case sRGB
    case power(Double)
    case smpte240
    /// A logarithmic curve, whose range of light spans the given number of powers of ten.
    case logarithm(Double)
    /// The curve of SMPTE ST 428-1: a power of 2.6, scaled by 52.37/48.
    case cinema
    /// The perceptual quantizer of SMPTE ST 2084, which codes absolute light.
    case pq
    /// The hybrid log-gamma curve of BT.2100, which codes the light of the scene.
    case hlg

    /// Finds the curve for a code. Code 2 (unspecified) is taken as sRGB. Nil for codes without a meaning.
    init?(code: UInt16) {
        switch code {
        case 1, 2, 6, 11, 12, 13, 14, 15: self = .sRGB
        case 4: self = .power(2.2)
        case 5: self = .power(2.8)
        case 7: self = .smpte240
        case 8: self = .power(1)
        case 9: self = .logarithm(2)
        case 10: self = .logarithm(2.5)
        case 16: self = .pq
        case 17: self = .cinema
        case 18: self = .hlg
        default: return nil
        }
    }

    /// Whether the curve is for high dynamic range: it can code light brighter than white paper. A conversion to 8-bit
    /// samples then applies a tone map.
    var isHighDynamicRange: Bool { self == .pq || self == .hlg }

    /// The light for the value of a sample, which goes from 0 to 1. The unit of the light depends on the curve:
    ///
    /// - For PQ, it is cd/m².
    /// - For HLG, it is the light of the scene, from 0 to 1.
    /// - For all other curves, 1 is white.
    func light(_ sample: Double) -> Double {
        switch self {
        case .sRGB: sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
        case .power(let gamma): pow(sample, gamma)
        case .smpte240: sample < 4 * 0.0228 ? sample / 4 : pow((sample + 0.1115) / 1.1115, 1 / 0.45)
        case .logarithm(let decades): sample <= 0 ? 0 : pow(10, (sample - 1) * decades)
        case .cinema: pow(sample, 2.6) * 52.37 / 48
        case .pq: Self.pqLight(sample)
        case .hlg: sample <= 0.5 ? sample * sample / 3 : (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
    }

    // The constants of the perceptual quantizer (SMPTE ST 2084, 5.1).
    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

    /// The light in cd/m² for the value of a sample in the perceptual quantizer (PQ).
    static func pqLight(_ sample: Double) -> Double {
        let root = pow(max(0, sample), 1 / m2)
        return 10_000 * pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
    }

    /// The value of a sample in the perceptual quantizer (PQ) for light in cd/m².
    static func pqSample(_ light: Double) -> Double {
        let root = pow(max(0, light) / 10_000, m1)
        return pow((c1 + c2 * root) / (1 + c3 * root), m2)
    }
}
