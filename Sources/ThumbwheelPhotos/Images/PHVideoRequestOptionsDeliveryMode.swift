/// How soon and how well a video is delivered.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable {
    /// Whatever suits the network at the moment.
    case automatic
    /// The best there is, however long it takes.
    case highQualityFormat
    /// Smaller than the best, and sooner.
    case mediumQualityFormat
    /// The first that can be had.
    case fastFormat
}
