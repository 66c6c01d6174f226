import ThumbwheelCore

/// A heap of slot numbers, ordered by the ranks of the jobs in the slots. It knows the position of each slot number, so
/// that any of them can be moved or removed.
///
/// Inserting, removing and changing a rank take time logarithmic in the number of queued slots. If the slot is not the
/// first one, inserting and removing take constant time on average.
package struct RankHeap: Sendable {
    /// A slot number with the rank of its job.
    ///
    /// Hundreds of thousands of jobs may be queued, so an element takes only twenty bytes. It stores the two words of a
    /// rank in halves, because a struct with a whole word would be aligned to eight bytes.
    private struct Element {
        private let urgency: (UInt32, UInt32)
        /// The rank's sequence, shifted to the left by five bits. Below it lie, from the highest bit to the lowest: two
        /// bits of the priority, the stage, whether the rank is speculative, and whether it is stoppable.
        private let order: (UInt32, UInt32)
        let slot: Int32

        @inline(__always)
        init(rank: JobRank, slot: Int32) {
            let bits = rank.urgency.bitPattern
            urgency = (UInt32(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 32))
            let properties =
                rank.priority.rawValue << 3 | rank.stage.rawValue << 2 | (rank.isSpeculative ? 2 : 0)
                | (rank.isStoppable ? 1 : 0)
            let number = UInt64(bitPattern: rank.sequence) << 5 | UInt64(properties)
            order = (UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32))
            self.slot = slot
        }

        private var urgencyValue: Double {
            Double(bitPattern: UInt64(urgency.1) << 32 | UInt64(urgency.0))
        }

        private var sequence: Int64 { Int64(bitPattern: UInt64(order.1) << 32 | UInt64(order.0)) >> 5 }

        @inline(__always)
        var rank: JobRank {
            JobRank(
                priority: RequestPriority(rawValue: Int(order.0 >> 3 & 3))!,
                stage: JobRank.Stage(rawValue: Int(order.0 >> 2 & 1))!, isSpeculative: order.0 & 2 != 0,
                isStoppable: order.0 & 1 != 0, urgency: urgencyValue, sequence: sequence)
        }

        /// Whether the element's rank is smaller than that of another element. The result is the same as that of `<` for
        /// the ranks, but no rank is unpacked.
        @inline(__always)
        func precedes(_ other: Element) -> Bool {
            // Priority, stage and speculation are compared at once, as one number.
            let (properties, others) = (order.0 & 0b11110, other.order.0 & 0b11110)
            if properties != others { return properties < others }
            if urgencyValue != other.urgencyValue { return urgencyValue < other.urgencyValue }
            return sequence < other.sequence
        }
    }

    /// The number of children of each element. With four children, the heap has half as many levels as a binary heap,
    /// and siblings are neighbours in memory.
    private static let fanOut = 4

    /// The memory that a slot number in the heap takes, in bytes.
    static let slotByteCount = MemoryLayout<Element>.stride + MemoryLayout<Int32>.stride

    /// The number of slots for which an empty heap keeps its storage.
    private static let keptCapacity = 4096

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
            if elements.isEmpty, elements.capacity > Self.keptCapacity { elements = [] }
            return
        }
        replace(at: index, with: last)
    }

    package mutating func setRank(_ rank: JobRank, of slot: Int) {
        replace(at: Int(positions[slot]), with: Element(rank: rank, slot: Int32(slot)))
    }

    private mutating func replace(at index: Int, with element: Element) {
        elements[index] = element
        if index > 0, element.precedes(elements[Self.parent(of: index)]) {
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
            guard element.precedes(elements[parent]) else { break }
            place(elements[parent], at: index)
            index = parent
        }
        place(element, at: index)
    }

    private mutating func siftDown(from start: Int) {
        let element = elements[start]
        var index = start
        while let child = firstChild(of: index), elements[child].precedes(element) {
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
        where elements[sibling].precedes(elements[first]) { first = sibling }
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
                index == 0 || !element.precedes(elements[Self.parent(of: index)]), "a child before its parent")
        }
        try BrokenInvariant.require(
            positions.count(where: { $0 >= 0 }) == elements.count, "a position without an element")
    }
}
