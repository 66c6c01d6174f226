import ThumbwheelLocks

/// A lock around a value that many threads read and that seldom changes. The lock consists of stripes. A reader locks
/// only its own stripe, so that readers on different stripes write to no common memory. A writer locks all stripes.
/// Each stripe also guards a value of its own, the notes, which readers may change.
///
/// The type is unchecked `Sendable` because of the pointer `shared`: its memory is read only while at least one stripe
/// is locked, and written only while all stripes are locked.
struct StripedMutex<Shared: ~Copyable & Sendable, Notes: Sendable>: ~Copyable, @unchecked Sendable {
    private let stripes: SpacedArray<Mutex<Notes>>
    private let shared: UnsafeMutablePointer<Shared>

    /// - Parameter notes: makes the initial notes of the stripe with a given number.
    init(_ value: consuming Shared, stripeCount: Int, notes: (Int) -> Notes) {
        stripes = SpacedArray(count: stripeCount) { Mutex(notes($0)) }
        shared = .allocate(capacity: 1)
        shared.initialize(to: value)
    }

    deinit {
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Calls `body` with the value and with the notes of a stripe. Meanwhile no thread changes the value, and no other
    /// thread uses these notes.
    @inline(__always)
    borrowing func read<Result: Sendable>(
        stripe: Int, _ body: (borrowing Shared, inout Notes) -> Result
    ) -> Result {
        stripes[stripe].withLock { notes in body(shared.pointee, &notes) }
    }

    /// Changes the value while no thread reads it.
    ///
    /// - Parameter adapt: called for each stripe with the changed value, to bring the notes of that stripe in line with
    ///   it.
    borrowing func change<Result: Sendable>(
        _ body: (inout Shared) -> Result, adapt: (borrowing Shared, inout Notes) -> Void
    ) -> Result {
        change(body, adapt: adapt, lockingFrom: 0)
    }

    /// Locks the stripes from the number `stripe` on, changes the value, and adapts the notes of each of these stripes.
    /// Each call locks one stripe and then calls itself for the next one. Every writer locks the stripes in ascending
    /// order, so that two writers cannot deadlock.
    private borrowing func change<Result: Sendable>(
        _ body: (inout Shared) -> Result, adapt: (borrowing Shared, inout Notes) -> Void, lockingFrom stripe: Int
    ) -> Result {
        guard stripe < stripes.count else { return body(&shared.pointee) }
        return stripes[stripe].withLock { notes in
            let result = change(body, adapt: adapt, lockingFrom: stripe + 1)
            adapt(shared.pointee, &notes)
            return result
        }
    }
}
