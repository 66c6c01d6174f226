/// Doubly linked lists over slot numbers, kept in two arrays: no object per entry, no allocation once grown.
///
/// A slot is in at most one list. The owner knows in which; that a slot is taken out of the list it is in is its duty.
public struct LinkedSlots: Sendable {
    @usableFromInline static let none = -1

    @usableFromInline var next: [Int] = []
    @usableFromInline var previous: [Int] = []
    @usableFromInline var heads: [Int]
    @usableFromInline var tails: [Int]

    @inlinable public init(listCount: Int) {
        heads = Array(repeating: Self.none, count: listCount)
        tails = heads
    }

    /// Makes room for one more slot, numbered one above the last, in no list.
    @inlinable public mutating func addSlot() {
        next.append(Self.none)
        previous.append(Self.none)
    }

    @inlinable public func last(of list: Int) -> Int? {
        tails[list] == Self.none ? nil : tails[list]
    }

    @inlinable public mutating func linkFirst(_ slot: Int, into list: Int) {
        let head = heads[list]
        previous[slot] = Self.none
        next[slot] = head
        if head == Self.none { tails[list] = slot } else { previous[head] = slot }
        heads[list] = slot
    }

    @inlinable public mutating func linkLast(_ slot: Int, into list: Int) {
        let tail = tails[list]
        next[slot] = Self.none
        previous[slot] = tail
        if tail == Self.none { heads[list] = slot } else { next[tail] = slot }
        tails[list] = slot
    }

    @inlinable public mutating func unlink(_ slot: Int, from list: Int) {
        let before = previous[slot]
        let after = next[slot]
        if before == Self.none { heads[list] = after } else { next[before] = after }
        if after == Self.none { tails[list] = before } else { previous[after] = before }
    }

    @inlinable public mutating func moveToFront(_ slot: Int, of list: Int) {
        guard heads[list] != slot else { return }
        unlink(slot, from: list)
        linkFirst(slot, into: list)
    }

    /// A list's slots from first to last.
    public func slots(of list: Int) -> [Int] {
        Array(
            sequence(state: heads[list]) { slot in
                guard slot != Self.none else { return nil }
                defer { slot = next[slot] }
                return slot
            })
    }
}
