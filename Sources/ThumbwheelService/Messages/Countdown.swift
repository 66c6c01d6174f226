import struct Synchronization.Atomic

/// Counts the parts of a work that several threads end.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    /// - Parameter count: The number of parts, at least 1.
    init(_ count: Int) {
        left = Atomic(count)
    }

    /// Counts one part as done; true for the last one.
    func isOverNow() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
