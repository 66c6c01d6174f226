import ThumbwheelLocks

/// A lock around a value that many threads read and that seldom changes. The lock consists of stripes. Each stripe is a
/// lock with a value of its own, the notes.
///
/// - A thread that reads the shared value locks one stripe, and may change the notes of that stripe. Threads on
///   different stripes write to no common memory.
/// - A thread that changes the shared value locks all stripes.
///
/// The type is unchecked `Sendable` because of the pointer `shared`: its memory is read only while at least one stripe
/// is locked, and written only while all stripes are locked.
struct StripedMutex<Shared: ~Copyable & Sendable, Notes: Sendable>: ~Copyable, @unchecked Sendable {
    private let stripes: SpacedArray<Mutex<Notes>>
    private let shared: UnsafeMutablePointer<Shared>

    /// Makes the lock around `value`.
    ///
    /// - Parameters:
    ///   - stripeCount: the number of stripes. Each stripe is a lock of its own, and a thread that reads the value
    ///     locks only one of them.
    ///   - notes: returns the notes with which a stripe begins, given the number of the stripe. The notes are a value
    ///     that belongs to one stripe.
    init(_ value: consuming Shared, stripeCount: Int, notes: (Int) -> Notes) {
        stripes = SpacedArray(count: stripeCount) { Mutex(notes($0)) }
        shared = .allocate(capacity: 1)
        shared.initialize(to: value)
    }

    deinit {
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Calls `body` with the shared value, and with the notes of the stripe that has the number `stripe`. The notes are
    /// a value that belongs to this stripe alone. Meanwhile no thread changes the shared value, and no other thread
    /// uses these notes.
    @inline(__always)
    borrowing func read<Result: Sendable>(
        stripe: Int, _ body: (borrowing Shared, inout Notes) -> Result
    ) -> Result {
        stripes[stripe].withLock { notes in body(shared.pointee, &notes) }
    }

    /// Changes the shared value while no thread reads it.
    ///
    /// - Parameter adapt: called once for each stripe, with the changed value and with the stripe's notes. The notes
    ///   are a value that belongs to one stripe. The closure adapts them to the changed value.
    borrowing func change<Result: Sendable>(
        _ body: (inout Shared) -> Result, adapt: (borrowing Shared, inout Notes) -> Void
    ) -> Result {
        change(body, adapt: adapt, lockingFrom: 0)
    }

    /// Changes the shared value while all stripes are locked, and then calls `adapt` with the notes of each stripe. The
    /// notes are a value that belongs to one stripe.
    ///
    /// Each call locks the stripe with the number `stripe`, and then calls this method again for the next stripe. The
    /// call after the last stripe makes the change. Every change locks the stripes in ascending order, so that two
    /// changes cannot deadlock.
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
