import ThumbwheelCore

/// Whether a store can be used at the moment. After a failure it rests for a while, and then it is tried again: at first
/// after a second, and twice as long after each further failure in a row.
struct StoreHealth: Sendable {
    /// The failure because of which the store rests; nil while it works.
    private(set) var failure: StoreError?
    private var rest = Duration.zero
    private var end = MonotonicTime.zero

    private static let shortestRest = Duration.seconds(1)
    private static let longestRest = Duration.seconds(60)

    /// Whether the store may be tried at the time `now`.
    func isUsable(at now: @autoclosure () -> MonotonicTime) -> Bool { failure == nil || now() >= end }

    mutating func noteFailure(_ error: StoreError, at now: MonotonicTime) {
        // Failures of several threads at the same time count as one.
        guard failure == nil || now >= end else { return }
        rest = min(max(rest * 2, Self.shortestRest), Self.longestRest)
        failure = error
        end = now.advanced(by: rest)
    }

    mutating func noteSuccess() {
        guard failure != nil else { return }
        failure = nil
        rest = .zero
    }
}
