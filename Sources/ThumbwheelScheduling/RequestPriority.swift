/// Why work is wanted, and so which goes first.
public enum RequestPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// Somebody is looking at the place where the image belongs.
    case userInitiated
    /// Likely to be looked at soon.
    case prefetch
    /// When nothing else is to be done.
    case background

    /// Lower goes first.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
