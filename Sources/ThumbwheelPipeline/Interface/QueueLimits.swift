import ThumbwheelScheduling

/// Limits on the requests that may wait, by priority and by the memory that they take, and the way to deal with
/// requests beyond the limits.
///
/// A request counts from its submission to its end, also while it is rendered. A request whose image is in the cache
/// does not count. Images that caching managers ask for do not count either. Their number depends only on the calls by
/// which the program starts and stops caching.
public struct QueueLimits: Sendable, Hashable {
    /// The ways to deal with too many requests.
    public enum Overflow: Sendable, Hashable {
        /// A new request makes older ones end with `.overloaded`:
        ///
        /// - If the limit for its priority is reached, the oldest request of that priority ends. There is no such limit
        ///   for the priority `.userInitiated`.
        /// - If all requests together take `byteCount` bytes, the oldest request of the lowest priority ends, unless
        ///   that priority is higher than the priority of the new request.
        ///
        /// A request that is being rendered ends only if there is no other request to end. If no room can be made, the
        /// new request itself ends with `.overloaded`.
        case shedsOldest
        /// A new request beyond a limit ends with `.overloaded` at once, whatever its priority. This suits a service
        /// that would rather refuse a caller now than answer late.
        case rejectsNewest
    }

    /// The largest number of requests with the priority `.userInitiated` that may wait. This limit applies only with
    /// `rejectsNewest`.
    public var userInitiated: Int
    /// The largest number of requests with the priority `.prefetch` that may wait.
    public var prefetch: Int
    /// The largest number of requests with the priority `.background` that may wait.
    public var background: Int
    /// The bytes that waiting requests of all priorities may take together, without the values that their handlers
    /// capture. A request counts as about 200 bytes, or as twice as many if a degraded image may be made first. These
    /// bytes are no part of `ImageManager.Configuration.memoryBudget`, and are freed as the requests end.
    public var byteCount: Int
    /// The way to deal with too many requests.
    public var overflow: Overflow

    /// Makes limits. The defaults are so large that a program that shows images on a screen does not reach them.
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
