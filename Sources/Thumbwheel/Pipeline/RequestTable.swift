/// The requests that have not ended, or whose last results have not been taken.
///
/// Each lies in a slot of its own, where it is read and changed in place: a request is large, and a thousand may wait for one
/// render. What leads from identifiers to slots is small.
struct RequestTable: Sendable {
    typealias Request = PipelineState.Request

    private var slots: [ImageRequestID: Int] = [:]
    private var requests: [Request?] = []
    private var freeSlots: [Int] = []

    /// In no order.
    var ids: [ImageRequestID] { Array(slots.keys) }
    /// In no order that means anything.
    var values: some Sequence<Request> { requests.lazy.compactMap(\.self) }

    /// To look at and to change; requests come by `insert` and go by `remove`.
    subscript(id: ImageRequestID) -> Request? {
        _read {
            if let slot = slots[id] { yield requests[slot] } else { yield nil }
        }
        _modify {
            if let slot = slots[id] {
                yield &requests[slot]
                precondition(requests[slot] != nil, "a request that was not removed is gone")
            } else {
                var none: Request?
                yield &none
                precondition(none == nil, "a request that was not inserted")
            }
        }
    }

    var slotCount: Int { requests.count }

    func id(inSlot slot: Int) -> ImageRequestID? { requests[slot]?.id }

    func slot(of id: ImageRequestID) -> Int? { slots[id] }

    /// - Precondition: a request is in the slot.
    subscript(slot slot: Int) -> Request {
        _read { yield requests[slot]! }
        _modify { yield &requests[slot]! }
    }

    mutating func insert(_ request: Request, as id: ImageRequestID) {
        let slot = freeSlots.popLast() ?? requests.count
        if slot == requests.count { requests.append(request) } else { requests[slot] = request }
        slots[id] = slot
    }

    mutating func remove(_ id: ImageRequestID) {
        guard let slot = slots.removeValue(forKey: id) else { return }
        requests[slot] = nil
        freeSlots.append(slot)
    }

    /// Frees the storage that many requests took, once none is left.
    mutating func shrink() {
        if slots.isEmpty, requests.count > PipelineState.keptCount { self = RequestTable() }
    }

    /// The number of requests that fit without another allocation.
    var capacity: Int { requests.capacity }
}
