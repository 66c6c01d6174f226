/// The table of the requests that have not ended, or whose last results have not been taken.
///
/// Each request has a row, which has a slot number. The number finds the row, and the row is read and changed in place.
/// The table is a plain value. Finding, adding and removing a request take constant time on average.
struct RequestTable: Sendable {
    typealias Request = PipelineState.Request

    private var rows = SlotPages<Request>()
    private var slots = SplitSlotIndex()
    private var freeSlots: [Int32] = []

    /// All requests, in the order of their slots.
    var values: some Sequence<Request> { rows.values }

    /// The request with the identifier `id`; nil if it has ended and its results have been taken.
    subscript(id: ImageRequestID) -> Request? { slot(of: id).map { rows[$0] } }

    var slotCount: Int { rows.slotCount }

    func id(inSlot slot: Int) -> ImageRequestID? { rows.contains(slot) ? rows[slot].id : nil }

    func slot(of id: ImageRequestID) -> Int? {
        slots.first(hash: Self.hash(of: id)) { rows[$0].id == id }
    }

    /// - Precondition: a request is in the slot.
    subscript(slot slot: Int) -> Request {
        @inline(__always) _read { yield rows[slot] }
        @inline(__always) _modify { yield &rows[slot] }
    }

    /// - Returns: the request's slot.
    @discardableResult
    mutating func insert(_ request: Request) -> Int {
        let slot = freeSlots.popLast().map { Int($0) } ?? rows.count
        rows.insert(request, at: slot)
        slots.insert(slot, hash: Self.hash(of: request.id)) { [rows] in Self.hash(of: rows[$0].id) }
        return slot
    }

    mutating func remove(_ id: ImageRequestID) {
        guard let slot = slot(of: id) else { return }
        slots.remove(slot, hash: Self.hash(of: id)) { [rows] in Self.hash(of: rows[$0].id) }
        rows.remove(at: slot)
        freeSlots.append(Int32(truncatingIfNeeded: slot))
    }

    /// Frees the storage of the table if no request is left and the storage is large.
    ///
    /// - Returns: the number of requests that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int {
        let count = freeSlots.count
        guard rows.count == 0, count > PipelineState.keptCapacity else { return 0 }
        self = RequestTable()
        return count
    }

    /// The number of requests that the storage has room for.
    var capacity: Int { rows.capacity }

    /// A simple hash of an identifier: the upper half of the product of the identifier and a constant. All bits of the
    /// identifier contribute to it. A stronger hash is not needed, because callers do not choose identifiers, and so
    /// cannot choose many that have the same hash.
    private static func hash(of id: ImageRequestID) -> Int {
        Int(truncatingIfNeeded: (id.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}
