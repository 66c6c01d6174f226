import ThumbwheelCore

/// A binary heap of slots by rank that knows where each slot is, so that any of them can be moved or taken out.
///
/// Insertion, removal and change of rank take time logarithmic in the number of queued slots.
struct RankHeap: Sendable {
    private struct Element {
        var rank: JobRank
        var slot: Int
    }

    private var elements: [Element] = []
    /// By slot: the index in `elements`, −1 for slots that are not queued.
    private var positions: [Int] = []

    var count: Int { elements.count }
    var first: (slot: Int, rank: JobRank)? { elements.first.map { ($0.slot, $0.rank) } }

    /// How many slots of `priority`, the most urgent there is, are queued; counts no further than `bound`.
    ///
    /// Children follow their parents, so a walk from the root that turns back at any other priority meets all of them.
    func count(of priority: RequestPriority, upTo bound: Int) -> Int {
        var found = 0
        var stack = elements.isEmpty ? [] : [0]
        while found < bound, let index = stack.popLast() {
            guard elements[index].rank.priority == priority else { continue }
            found += 1
            if 2 * index + 1 < elements.count { stack.append(2 * index + 1) }
            if 2 * index + 2 < elements.count { stack.append(2 * index + 2) }
        }
        return found
    }

    func contains(_ slot: Int) -> Bool { slot < positions.count && positions[slot] >= 0 }

    mutating func insert(_ slot: Int, rank: JobRank) {
        while positions.count <= slot { positions.append(-1) }
        assert(positions[slot] < 0, "slot \(slot) is queued already")
        elements.append(Element(rank: rank, slot: slot))
        siftUp(from: elements.count - 1)
    }

    mutating func remove(_ slot: Int) {
        let index = positions[slot]
        positions[slot] = -1
        let last = elements.removeLast()
        guard index < elements.count else { return }
        replace(at: index, with: last)
    }

    mutating func setRank(_ rank: JobRank, of slot: Int) {
        replace(at: positions[slot], with: Element(rank: rank, slot: slot))
    }

    private mutating func replace(at index: Int, with element: Element) {
        let goesUp = element.rank < elements[index].rank
        elements[index] = element
        // Where the hole's old rank was between the neighbours', only one of the two directions can be needed.
        if goesUp { siftUp(from: index) } else { siftDown(from: index) }
    }

    private mutating func siftUp(from start: Int) {
        let element = elements[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard element.rank < elements[parent].rank else { break }
            place(elements[parent], at: index)
            index = parent
        }
        place(element, at: index)
    }

    private mutating func siftDown(from start: Int) {
        let element = elements[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < elements.count else { break }
            if child + 1 < elements.count, elements[child + 1].rank < elements[child].rank { child += 1 }
            guard elements[child].rank < element.rank else { break }
            place(elements[child], at: index)
            index = child
        }
        place(element, at: index)
    }

    private mutating func place(_ element: Element, at index: Int) {
        elements[index] = element
        positions[element.slot] = index
    }

    /// Throws where the heap is not one: called by tests and by `Scheduler.checkInvariants`.
    func checkInvariants() throws(BrokenInvariant) {
        for (index, element) in elements.enumerated() {
            try BrokenInvariant.require(
                positions[element.slot] == index, "slot \(element.slot) is not where it is said to be")
            try BrokenInvariant.require(
                index == 0 || !(element.rank < elements[(index - 1) / 2].rank), "a child before its parent")
        }
        try BrokenInvariant.require(
            positions.count(where: { $0 >= 0 }) == elements.count, "a position without an element")
    }
}
