import struct Synchronization.Atomic

/// Counts the parts of a work that several threads end.
final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let failed: Atomic<Bool>

    /// - Parameters:
    ///   - count: The number of parts, at least 1.
    ///   - hasFailed: Whether a part has failed that is not among them.
    init(_ count: Int, hasFailed: Bool) {
        left = Atomic(count)
        failed = Atomic(hasFailed)
    }

    /// Says that a part has failed. It is still to be counted by `isOverNow`, which shows the failure to the last part's
    /// thread.
    func fail() { failed.store(true, ordering: .relaxed) }

    /// Whether a part has failed. It is known to the thread for which `isOverNow` was true.
    var hasFailed: Bool { failed.load(ordering: .relaxed) }

    /// Counts one part as done; true for the last one.
    func isOverNow() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
