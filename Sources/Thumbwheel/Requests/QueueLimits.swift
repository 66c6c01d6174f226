import ThumbwheelScheduling

/// How many requests may wait, by priority, and what becomes of more.
///
/// A request counts from its submission to its end, while it is rendered too. One whose image is at hand does not, nor does
/// what caching managers want to have ready: those wishes are replaced, not piled up.
public struct QueueLimits: Sendable, Hashable {
    public enum Overflow: Sendable, Hashable {
        /// A new request makes the oldest of its priority that is not being rendered end with `.overloaded`. Visible
        /// requests are let in whatever their number, and never made to end.
        case shedsOldest
        /// A new request ends with `.overloaded` at once, visible or not: for a service that would rather refuse a caller
        /// now than answer late.
        case rejectsNewest
    }

    public var userInitiated: Int
    public var prefetch: Int
    public var background: Int
    public var overflow: Overflow

    public init(
        userInitiated: Int = 16_384, prefetch: Int = 16_384, background: Int = 65_536, overflow: Overflow = .shedsOldest
    ) {
        self.userInitiated = userInitiated
        self.prefetch = prefetch
        self.background = background
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
