import ThumbwheelCaching
import ThumbwheelScheduling

/// The requests that wait, by priority, from the newest to the oldest; every operation takes constant time.
struct RequestQueues: Sendable {
    /// Names a request's place until it is removed.
    struct Place: Hashable, Sendable {
        fileprivate let slot: Int
        let priority: RequestPriority
    }

    private var links = LinkedSlots(listCount: RequestPriority.allCases.count)
    /// By slot; stale where the slot is free.
    private var ids: [ImageRequestID] = []
    private var freeSlots: [Int] = []
    private var counts = Array(repeating: 0, count: RequestPriority.allCases.count)

    func count(of priority: RequestPriority) -> Int { counts[priority.rawValue] }

    func oldest(of priority: RequestPriority) -> ImageRequestID? {
        links.last(of: priority.rawValue).map { ids[$0] }
    }

    mutating func add(_ id: ImageRequestID, priority: RequestPriority) -> Place {
        let slot = freeSlots.popLast() ?? ids.count
        if slot == ids.count {
            ids.append(id)
            links.addSlot()
        }
        ids[slot] = id
        links.linkFirst(slot, into: priority.rawValue)
        counts[priority.rawValue] += 1
        return Place(slot: slot, priority: priority)
    }

    mutating func remove(_ place: Place) {
        links.unlink(place.slot)
        counts[place.priority.rawValue] -= 1
        freeSlots.append(place.slot)
    }

    /// Frees the storage that many requests took, once none is left.
    mutating func shrink() {
        if ids.count > PipelineState.keptCount, freeSlots.count == ids.count { self = RequestQueues() }
    }

    /// Has a request count as the newest of its priority.
    mutating func renew(_ place: Place) {
        links.moveToFront(place.slot, of: place.priority.rawValue)
    }
}
