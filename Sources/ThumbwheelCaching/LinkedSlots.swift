/// Doubly linked lists of slot numbers, all in one array. So an entry of a list needs no object of its own, and no
/// allocation once the array is long enough.
///
/// A slot is in at most one list. The owner keeps track of that list, and must unlink a slot before linking it again.
///
/// The type is public for the same reason as `LRUCache`: it is inlined into callers of the cache in other modules.
public struct LinkedSlots: Sendable {
    /// The neighbours of a slot in its list. Each index takes only four bytes, because hundreds of thousands of slots
    /// may be linked.
    @usableFromInline struct Link: Sendable {
        @usableFromInline var nextIndex: Int32
        @usableFromInline var previousIndex: Int32

        @inlinable init(next: Int, previous: Int) {
            nextIndex = Int32(truncatingIfNeeded: next)
            previousIndex = Int32(truncatingIfNeeded: previous)
        }

        @inlinable var next: Int {
            get { Int(nextIndex) }
            set { nextIndex = Int32(truncatingIfNeeded: newValue) }
        }

        @inlinable var previous: Int {
            get { Int(previousIndex) }
            set { previousIndex = Int32(truncatingIfNeeded: newValue) }
        }
    }

    /// The links of all lists; each list is a ring. The first `listCount` links are the heads of the lists. A head is
    /// linked before the first slot and after the last one, so that every slot has two neighbours. The links of the
    /// slots follow.
    @usableFromInline var links: [Link]
    @usableFromInline let listCount: Int

    @inlinable public init(listCount: Int) {
        links = (0..<listCount).map { Link(next: $0, previous: $0) }
        self.listCount = listCount
    }

    /// Adds one more slot, numbered one above the last. The slot is in no list yet.
    @inlinable public mutating func addSlot() {
        links.append(Link(next: links.count, previous: links.count))
    }

    @inlinable public func last(of list: Int) -> Int? {
        let last = links[list].previous
        return last == list ? nil : last - listCount
    }

    /// The slot before `slot` in a list that contains `slot`; nil if `slot` is the first.
    @inlinable public func slot(before slot: Int, of list: Int) -> Int? {
        let previous = links[slot + listCount].previous
        return previous == list ? nil : previous - listCount
    }

    @inlinable public mutating func linkFirst(_ slot: Int, into list: Int) {
        link(slot + listCount, between: list, and: links[list].next)
    }

    @inlinable public mutating func linkLast(_ slot: Int, into list: Int) {
        link(slot + listCount, between: links[list].previous, and: list)
    }

    @inlinable public mutating func unlink(_ slot: Int) {
        let link = links[slot + listCount]
        links[link.previous].next = link.next
        links[link.next].previous = link.previous
    }

    @inlinable public mutating func moveToFront(_ slot: Int, of list: Int) {
        let index = slot + listCount
        let first = links[list].next
        guard first != index else { return }
        // Every cache hit runs this code. A span checks only once that no copy shares the array, and not again at each
        // write.
        var links = links.mutableSpan
        let link = links[index]
        links[link.previous].next = link.next
        links[link.next].previous = link.previous
        links[index] = Link(next: first, previous: list)
        links[list].next = index
        links[first].previous = index
    }

    @inlinable mutating func link(_ index: Int, between previous: Int, and next: Int) {
        links[index] = Link(next: next, previous: previous)
        links[previous].next = index
        links[next].previous = index
    }

    /// A list's slots from first to last.
    public func slots(of list: Int) -> [Int] {
        Array(
            sequence(state: links[list].next) { index in
                guard index != list else { return nil }
                defer { index = links[index].next }
                return index - listCount
            })
    }
}
