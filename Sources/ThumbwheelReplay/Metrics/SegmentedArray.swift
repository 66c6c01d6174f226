/// An array that grows without being copied. It holds the records of a long run: copies of an ordinary array, twice as large
/// each time, would show in the memory that is measured meanwhile.
struct SegmentedArray<Element> {
    private static var segmentCount: Int { 512 }

    /// The segments; all but the last are full.
    private var segments: [[Element]] = []
    private(set) var count = 0

    init() {}

    mutating func append(_ element: Element) {
        if count.isMultiple(of: Self.segmentCount) {
            segments.append([])
            segments[segments.count - 1].reserveCapacity(Self.segmentCount)
        }
        segments[segments.count - 1].append(element)
        count += 1
    }
}

extension SegmentedArray: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Element {
        get { segments[index / Self.segmentCount][index % Self.segmentCount] }
        set { segments[index / Self.segmentCount][index % Self.segmentCount] = newValue }
    }
}

extension SegmentedArray: Sendable where Element: Sendable {}
