import ThumbwheelCore

/// Whether a store can be used at the moment. After a failure the store rests, and is then tried again: first after a
/// second, then after twice the time for each further failure in a row, up to a minute.
struct StoreHealth: Sendable {
    /// The last failure; nil if the store works.
    private(set) var failure: StoreError?
    private var rest = Duration.zero
    private var end = MonotonicTime.zero

    private static let shortestRest = Duration.seconds(1)
    private static let longestRest = Duration.seconds(60)

    /// Whether the store may be used at the time `now`: it works, or its rest after a failure is over.
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
