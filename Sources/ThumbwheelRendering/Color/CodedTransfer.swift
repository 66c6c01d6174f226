import Foundation

/// How samples stand for light, by ITU-T H.273's table 3.
enum CodedTransfer: Equatable {
    /// sRGB's curve; also for BT.709's and its kin, as in browsers: they tell of the camera's side, screens have another.
    case sRGB
    case power(Double)
    case smpte240
    /// Logarithms over so many powers of ten.
    case logarithm(Double)
    /// SMPTE ST 428-1's: 52.37/48 of a power of 2.6.
    case cinema
    /// SMPTE ST 2084's perceptual quantizer: light is absolute.
    case pq
    /// BT.2100's hybrid log-gamma: light is the scene's.
    case hlg

    /// Unspecified ones are sRGB's; nil for numbers without a meaning.
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

    /// Whether it codes light beyond the white of a page.
    var isHighDynamicRange: Bool { self == .pq || self == .hlg }

    /// Light of a sample from 0 to 1: of PQ in cd/m², of HLG the scene's from 0 to 1, of others from 0 to 1 for white.
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

    // SMPTE ST 2084, 5.1.
    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

    /// Light in cd/m² of a PQ sample.
    static func pqLight(_ sample: Double) -> Double {
        let root = pow(max(0, sample), 1 / m2)
        return 10_000 * pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
    }

    /// The PQ sample of light in cd/m².
    static func pqSample(_ light: Double) -> Double {
        let root = pow(max(0, light) / 10_000, m1)
        return pow((c1 + c2 * root) / (1 + c3 * root), m2)
    }
}
