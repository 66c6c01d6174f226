import Thumbwheel

/// How soon, how often and how well an image is delivered.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
    /// First what is there at once, then the image of high quality.
    case opportunistic = 0
    /// One image, of high quality.
    case highQualityFormat = 1
    /// One image, as soon as possible.
    case fastFormat = 2

    var mode: DeliveryMode {
        switch self {
        case .opportunistic: .opportunistic
        case .highQualityFormat: .highQuality
        case .fastFormat: .fast
        }
    }
}
