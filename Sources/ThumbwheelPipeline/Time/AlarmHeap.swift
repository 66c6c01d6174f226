import ThumbwheelCore
import ThumbwheelScheduling

/// The alarms of a pipeline, in a binary heap with the earliest alarm first.
///
/// The heap knows the position of each alarm. So adding and removing an alarm take time logarithmic in the number of
/// alarms, and a removed alarm takes no memory.
struct AlarmHeap: Sendable {
    enum Purpose: Sendable {
        /// A request's deadline.
        case deadline(ImageRequestID)
        /// The end of the time that a job may run.
        case timeLimit(JobID)
        /// The end of the time that a look-up in a storage tier (a store outside memory) may take.
        case lookUp(LookUpID)
        /// The end of the time that a job waits for another server that is making the same rendition.
        case claim(ClaimID)
        /// A check for memory that receivers may have freed.
        case memory
    }

    /// The identifier of an alarm. It is valid until the alarm is removed or taken by `takeFirst`.
    struct Alarm: Hashable, Sendable {
        fileprivate let slot: Int
    }

    private struct Entry {
        let time: MonotonicTime
        let purpose: Purpose
        let slot: Int
    }

    private var entries: [Entry] = []
    /// For each slot, the index of the slot's alarm in `entries`; −1 for a free slot. The slot is the number in an
    /// alarm's identifier.
    private var positions: [Int] = []
    private var freeSlots: [Int] = []

    var count: Int { entries.count }
    var earliest: MonotonicTime? { entries.first?.time }

    mutating func add(_ purpose: Purpose, at time: MonotonicTime) -> Alarm {
        let slot = freeSlots.popLast() ?? positions.count
        if slot == positions.count { positions.append(-1) }
        entries.append(Entry(time: time, purpose: purpose, slot: slot))
        siftUp(from: entries.count - 1)
        return Alarm(slot: slot)
    }

    mutating func remove(_ alarm: Alarm) {
        let index = positions[alarm.slot]
        positions[alarm.slot] = -1
        freeSlots.append(alarm.slot)
        let last = entries.removeLast()
        guard index < entries.count else { return }
        let goesUp = last.time < entries[index].time
        entries[index] = last
        if goesUp { siftUp(from: index) } else { siftDown(from: index) }
    }

    /// Removes the earliest alarm, if it is due by `now`, and returns its purpose.
    mutating func takeFirst(dueBy now: MonotonicTime) -> Purpose? {
        guard let first = entries.first, first.time <= now else { return nil }
        remove(Alarm(slot: first.slot))
        return first.purpose
    }

    /// Frees the storage of the alarms if no alarm is left and the storage is large.
    ///
    /// - Returns: the number of alarms that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int {
        let count = positions.count
        guard entries.isEmpty, count > PipelineState.keptCapacity else { return 0 }
        self = AlarmHeap()
        return count
    }

    private mutating func siftUp(from start: Int) {
        let entry = entries[start]
        var index = start
        while index > 0, entry.time < entries[(index - 1) / 2].time {
            place(entries[(index - 1) / 2], at: index)
            index = (index - 1) / 2
        }
        place(entry, at: index)
    }

    private mutating func siftDown(from start: Int) {
        let entry = entries[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].time < entries[child].time { child += 1 }
            guard entries[child].time < entry.time else { break }
            place(entries[child], at: index)
            index = child
        }
        place(entry, at: index)
    }

    private mutating func place(_ entry: Entry, at index: Int) {
        entries[index] = entry
        positions[entry.slot] = index
    }

    /// Throws if the order of the heap or the position of an entry is wrong.
    func checkInvariants() throws(BrokenInvariant) {
        for (index, entry) in entries.enumerated() {
            try BrokenInvariant.require(
                positions[entry.slot] == index, "an alarm that is not where it is said to be")
            try BrokenInvariant.require(
                index == 0 || entries[(index - 1) / 2].time <= entry.time, "a later alarm before an earlier")
        }
        try BrokenInvariant.require(entries.count + freeSlots.count == positions.count, "an alarm lost")
    }
}
