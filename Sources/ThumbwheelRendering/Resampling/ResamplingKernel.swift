import Foundation

/// How samples are weighed by their distance from the place of the output pixel.
enum ResamplingKernel: Hashable, Sendable {
    /// Sharp: a sinc under a wider sinc's window, three lobes a side.
    case lanczos3
    /// Cheap: linear interpolation, widened to an average where the image is reduced.
    case triangle

    /// Beyond this distance the weight is 0.
    var support: Double {
        switch self {
        case .lanczos3: 3
        case .triangle: 1
        }
    }

    func weight(at distance: Double) -> Double {
        switch self {
        case .lanczos3:
            if abs(distance) >= 3 { return 0 }
            if abs(distance) < 1e-8 { return 1 }
            // sinc(x)·sinc(x/3) with one sine: sin 3a = 3 sin a − 4 sin³ a.
            let angle = Double.pi * distance / 3
            let square = sin(angle) * sin(angle)
            return square * (3 - 4 * square) / (3 * angle * angle)
        case .triangle:
            return max(0, 1 - abs(distance))
        }
    }
}
