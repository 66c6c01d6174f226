/// The chunks (blocks of rows) of a snapshot in order, as a value. They are stored in groups. A transaction copies only
/// the list of groups and the groups whose chunks it changes.
struct ChunkList: Sendable, RandomAccessCollection {
    /// The binary logarithm of the number of chunks in a group: a group has 8 chunks. If groups were larger, edits
    /// would be slow: a hundred edits spread over a million assets would copy nearly every group, and copying a group
    /// increases the reference count of each of its chunks. If groups were smaller, the list of groups would be longer,
    /// and every transaction copies this list.
    private static let groupShift = 3
    private static let groupSize = 1 << groupShift

    private struct Entry: Sendable {
        let chunk: Chunk
        /// The bounds of the creation dates in the chunk. They are stored beside the chunk, so that a fetch can skip
        /// the chunk without reading it.
        let bounds: DateBounds

        init(_ chunk: Chunk) {
            self.chunk = chunk
            bounds = chunk.columns.creationBounds
        }
    }

    private var groups: [[Entry]] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    init() {}

    init(_ chunks: some Sequence<Chunk>) {
        for chunk in chunks { append(chunk) }
    }

    @inline(__always)
    subscript(index: Int) -> Chunk {
        get {
            precondition(index < count)
            // The check above covers the place in the group as well. A check of its own would read the header of the
            // group, which in a large library is a cache miss.
            return groups[index >> Self.groupShift].withUnsafeBufferPointer { $0[index & (Self.groupSize - 1)].chunk }
        }
        set { groups[index >> Self.groupShift][index & (Self.groupSize - 1)] = Entry(newValue) }
    }

    mutating func append(_ chunk: Chunk) {
        if count & (Self.groupSize - 1) == 0 { groups.append([]) }
        groups[groups.count - 1].append(Entry(chunk))
        count += 1
    }

    /// Returns the bounds of the creation dates in a chunk.
    @inline(__always)
    func creationBounds(_ index: Int) -> DateBounds {
        groups[index >> Self.groupShift][index & (Self.groupSize - 1)].bounds
    }
}
