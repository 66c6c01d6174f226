import ThumbwheelLocks

/// Guards a value that many threads read at once and that seldom changes, together with notes that each of its stripes takes
/// on its own. A thread that reads takes the lock of its stripe and writes to no memory that threads of other stripes
/// use. A thread that changes the value takes the locks of all stripes.
///
/// The type is unchecked `Sendable` because of `shared`: its memory is read only while at least one stripe is locked, and written only
/// while all are.
struct StripedMutex<Shared: ~Copyable & Sendable, Notes: Sendable>: ~Copyable, @unchecked Sendable {
    private let stripes: SpacedArray<Mutex<Notes>>
    private let shared: UnsafeMutablePointer<Shared>

    /// - Parameter notes: makes the notes of a stripe.
    init(_ value: consuming Shared, stripeCount: Int, notes: (Int) -> Notes) {
        stripes = SpacedArray(count: stripeCount) { Mutex(notes($0)) }
        shared = .allocate(capacity: 1)
        shared.initialize(to: value)
    }

    deinit {
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Reads the value, and reads and changes the notes of a stripe, while no thread changes either.
    @inline(__always)
    borrowing func read<Result: Sendable>(
        stripe: Int, _ body: (borrowing Shared, inout Notes) -> Result
    ) -> Result {
        stripes[stripe].withLock { notes in body(shared.pointee, &notes) }
    }

    /// Changes the value while no thread reads it.
    ///
    /// - Parameter adapt: adapts the notes of each stripe to the changed value.
    borrowing func change<Result: Sendable>(
        _ body: (inout Shared) -> Result, adapt: (borrowing Shared, inout Notes) -> Void
    ) -> Result {
        change(body, adapt: adapt, lockingFrom: 0)
    }

    /// - Parameter stripe: the first of the stripes that are not locked yet. A thread locks the stripes in their order, so that two
    ///   that change the value do not wait for each other.
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
