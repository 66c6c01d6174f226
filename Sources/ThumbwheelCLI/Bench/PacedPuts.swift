import Thumbwheel
import ThumbwheelCaching
import ThumbwheelLocks

/// Puts values to a store, a given number a second, from whichever threads have a moment.
final class PacedPuts: Sendable {
    private struct State {
        /// The time from which on puts are due; nil if none are.
        var start: MonotonicTime?
        var perSecond = 0
        /// The puts since then.
        var count = 0
        /// The number of the next value.
        var next = 0
    }

    private let store: DiskStore
    private let value: StoredValue
    private let seed: UInt64
    private let state = Mutex(State())

    init(to store: DiskStore, _ value: StoredValue, seed: UInt64) {
        (self.store, self.value, self.seed) = (store, value, seed)
    }

    /// Puts so many values, and waits until they are written.
    func fill(_ count: Int) {
        let first = state.withLock { state in
            defer { state.next += count }
            return state.next
        }
        for number in first..<(first + count) {
            store.put(value, for: key(number))
            // The queue is bounded in bytes.
            if number % 512 == 511 { store.flush() }
        }
        store.flush()
    }

    /// From now on, so many puts are due in a second.
    func start(perSecond: Int) {
        state.withLock { ($0.start, $0.perSecond, $0.count) = (.now, perSecond, 0) }
    }

    /// Puts no more values.
    ///
    /// - Returns: the number of puts since the start.
    func stop() -> Int {
        state.withLock { state in
            state.start = nil
            return state.count
        }
    }

    /// Puts the values that are due.
    func putDue() {
        let numbers = state.withLock { state in
            guard let start = state.start else { return 0..<0 }
            let due = Int(MonotonicTime.now.milliseconds(since: start) * Double(state.perSecond) / 1_000)
            let numbers = state.next..<(state.next + max(0, due - state.count))
            state.next = numbers.upperBound
            state.count += numbers.count
            return numbers
        }
        for number in numbers { store.put(value, for: key(number)) }
    }

    private func key(_ number: Int) -> StoreKey {
        var generator = SeededGenerator(seed: UInt64(number) ^ seed << 32)
        return StoreKey(high: generator.next(), low: generator.next())
    }
}
