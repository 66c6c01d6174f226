import ThumbwheelCore

/// A request that has waited in a tenant's queue.
struct WaitingRequest: Sendable {
    /// When the request came.
    let arrival: MonotonicTime
    private let pending: PendingResponse

    init(_ pending: PendingResponse, since arrival: MonotonicTime) {
        (self.pending, self.arrival) = (pending, arrival)
    }

    /// Whether nobody waits for the answer any more: the client has left, or the deadline is over.
    var isOver: Bool { pending.isCancelled || pending.response != nil }
}
