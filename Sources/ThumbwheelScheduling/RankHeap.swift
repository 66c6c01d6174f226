import ThumbwheelCore

/// A heap of slot numbers, ordered by the ranks of the jobs in the slots. It knows the position of each slot number, so
/// that any of them can be moved or removed.
///
/// Inserting, removing and changing a rank take time logarithmic in the number of queued slots. If the slot is not the
/// first one, inserting and removing take constant time on average.
package struct RankHeap: Sendable {
    private struct Element {
        var rank: JobRank
        var slot: Int32
    }

    /// The number of children of each element. With four children, the heap has half as many levels as a binary heap,
    /// and siblings are neighbours in memory.
    private static let fanOut = 4

    /// The memory that a slot number in the heap takes, in bytes.
    static let slotByteCount = MemoryLayout<Element>.stride + MemoryLayout<Int32>.stride

    /// The number of slots for which an empty heap keeps its storage.
    private static let keptCount = 4096

    private var elements: [Element] = []
    /// The index of each slot in `elements`; −1 for slots that are not queued. Small integers are used, because in a
    /// long queue most look-ups miss the processor's caches.
    private var positions: [Int32] = []

    package init() {}

    var count: Int { elements.count }
    /// The number of elements that the storage has room for.
    var capacity: Int { elements.capacity }
    package var first: (slot: Int, rank: JobRank)? { elements.first.map { (Int($0.slot), $0.rank) } }

    func contains(_ slot: Int) -> Bool { slot < positions.count && positions[slot] >= 0 }

    /// The rank of a queued slot.
    func rank(of slot: Int) -> JobRank { elements[Int(positions[slot])].rank }

    package mutating func insert(_ slot: Int, rank: JobRank) {
        if positions.count <= slot {
            positions.append(contentsOf: repeatElement(-1, count: slot + 1 - positions.count))
        }
        assert(positions[slot] < 0, "slot \(slot) is queued already")
        elements.append(Element(rank: rank, slot: Int32(slot)))
        siftUp(from: elements.count - 1)
    }

    package mutating func remove(_ slot: Int) {
        let index = Int(positions[slot])
        positions[slot] = -1
        let last = elements.removeLast()
        guard index < elements.count else {
            // Frees most of the memory that a long queue took. Otherwise the memory would stay allocated for as long as
            // the scheduler has a job.
            if elements.isEmpty, elements.capacity > Self.keptCount { elements = [] }
            return
        }
        replace(at: index, with: last)
    }

    package mutating func setRank(_ rank: JobRank, of slot: Int) {
        replace(at: Int(positions[slot]), with: Element(rank: rank, slot: Int32(slot)))
    }

    private mutating func replace(at index: Int, with element: Element) {
        elements[index] = element
        if index > 0, element.rank < elements[Self.parent(of: index)].rank {
            siftUp(from: index)
        } else {
            siftDown(from: index)
        }
    }

    private static func parent(of index: Int) -> Int { (index - 1) / fanOut }

    private mutating func siftUp(from start: Int) {
        let element = elements[start]
        var index = start
        while index > 0 {
            let parent = Self.parent(of: index)
            guard element.rank < elements[parent].rank else { break }
            place(elements[parent], at: index)
            index = parent
        }
        place(element, at: index)
    }

    private mutating func siftDown(from start: Int) {
        let element = elements[start]
        var index = start
        while let child = firstChild(of: index), elements[child].rank < element.rank {
            place(elements[child], at: index)
            index = child
        }
        place(element, at: index)
    }

    /// The index of the child with the smallest rank; nil for a leaf.
    private func firstChild(of index: Int) -> Int? {
        let eldest = index * Self.fanOut + 1
        guard eldest < elements.count else { return nil }
        var first = eldest
        for sibling in eldest..<min(eldest + Self.fanOut, elements.count)
        where elements[sibling].rank < elements[first].rank { first = sibling }
        return first
    }

    private mutating func place(_ element: Element, at index: Int) {
        elements[index] = element
        positions[Int(element.slot)] = Int32(truncatingIfNeeded: index)
    }

    /// Throws if the order of the heap or a slot's position is wrong. Tests and `Scheduler.checkInvariants` call it.
    func checkInvariants() throws(BrokenInvariant) {
        for (index, element) in elements.enumerated() {
            try BrokenInvariant.require(
                positions[Int(element.slot)] == index, "slot \(element.slot) is not where it is said to be")
            try BrokenInvariant.require(
                index == 0 || !(element.rank < elements[Self.parent(of: index)].rank), "a child before its parent")
        }
        try BrokenInvariant.require(
            positions.count(where: { $0 >= 0 }) == elements.count, "a position without an element")
    }
}
