/// The versions of an adjusted video.
public enum PHVideoRequestOptionsVersion: Int, Sendable {
    /// With its adjustments.
    case current
    /// As it was imported.
    case original
}
