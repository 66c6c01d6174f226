/// An array that grows without being copied: for what is written down all through a long run, and whose copies, twice as
/// large each time, would show in the memory that is measured meanwhile.
package struct SegmentedArray<Element> {
    private static var segmentCount: Int { 512 }

    /// All full but the last.
    private var segments: [[Element]] = []
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ element: Element) {
        if count.isMultiple(of: Self.segmentCount) {
            segments.append([])
            segments[segments.count - 1].reserveCapacity(Self.segmentCount)
        }
        segments[segments.count - 1].append(element)
        count += 1
    }
}

extension SegmentedArray: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(index: Int) -> Element {
        _read { yield segments[index / Self.segmentCount][index % Self.segmentCount] }
        _modify { yield &segments[index / Self.segmentCount][index % Self.segmentCount] }
    }
}

extension SegmentedArray: Sendable where Element: Sendable {}
