import ThumbwheelScheduling

/// How many requests may wait, by priority and by the memory that they take, and what becomes of more.
///
/// A request counts from its submission to its end, while it is rendered too. One whose image is at hand does not, nor does
/// what caching managers want to have ready: those wishes are replaced, not piled up.
public struct QueueLimits: Sendable, Hashable {
    /// The ways to deal with too many requests.
    public enum Overflow: Sendable, Hashable {
        /// A new request makes the oldest of its priority that is not being rendered end with `.overloaded`. Visible
        /// requests are let in whatever their number. Where all together take `byteCount`, the oldest of the lowest
        /// priority makes way, a visible one only for another.
        case shedsOldest
        /// A new request ends with `.overloaded` at once, visible or not: for a service that would rather refuse a caller
        /// now than answer late.
        case rejectsNewest
    }

    /// The most visible requests that wait.
    public var userInitiated: Int
    /// The most prefetches that wait.
    public var prefetch: Int
    /// The most background requests that wait.
    public var background: Int
    /// The bytes that waiting requests of all priorities may take together, their handlers' own captures not counted. A
    /// request takes about 270, and twice that where it waits for a preview as well. They are no part of
    /// `ImageManager.Configuration.memoryBudget`, and are given back as the requests end.
    public var byteCount: Int
    /// The way to deal with too many requests.
    public var overflow: Overflow

    /// Makes limits; the defaults are far beyond any screen's needs.
    public init(
        userInitiated: Int = 16_384, prefetch: Int = 16_384, background: Int = 65_536, byteCount: Int = 256 << 20,
        overflow: Overflow = .shedsOldest
    ) {
        self.userInitiated = userInitiated
        self.prefetch = prefetch
        self.background = background
        self.byteCount = byteCount
        self.overflow = overflow
    }

    subscript(priority: RequestPriority) -> Int {
        switch priority {
        case .userInitiated: userInitiated
        case .prefetch: prefetch
        case .background: background
        }
    }
}
