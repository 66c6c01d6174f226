/// The reason why work is wanted. It decides the order of work.
public enum RequestPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// A user is looking at the place where the image belongs.
    case userInitiated
    /// A user is likely to look at the image soon.
    case prefetch
    /// The work is done when there is no other work to do.
    case background

    /// Orders priorities by their raw values, so that the smallest goes first.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
