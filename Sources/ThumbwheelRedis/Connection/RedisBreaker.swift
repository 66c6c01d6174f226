import ThumbwheelCore

/// When a server is tried again after a failure: after a rest, which doubles with each failure that comes soon after the
/// one before.
struct RedisBreaker: Sendable {
    private(set) var failure: RedisError?
    /// How often the server has failed.
    private(set) var failureCount = 0
    private var rest = Duration.zero
    private var restEnd = MonotonicTime.zero

    private static let shortestRest = Duration.milliseconds(100)
    private static let longestRest = Duration.seconds(10)

    /// The end of the rest after the last failure. Before it the server is not asked, not even whether it is back.
    var end: MonotonicTime { restEnd }

    mutating func noteFailure(_ error: RedisError, at now: MonotonicTime) {
        // A server that has worked for longer than its last rest begins again with the shortest one. A server that fails
        // again and again, for example because it is slow now and then, is left alone for longer and longer.
        let isRecent = failure != nil || now < restEnd.advanced(by: rest)
        rest = isRecent ? min(max(rest * 2, Self.shortestRest), Self.longestRest) : Self.shortestRest
        failure = error
        failureCount += 1
        restEnd = now.advanced(by: rest)
    }

    mutating func noteSuccess() { failure = nil }
}
