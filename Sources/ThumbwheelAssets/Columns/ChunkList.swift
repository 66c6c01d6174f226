/// The chunks of a snapshot in order, as a value: a transaction copies the list of groups, and of these the ones with
/// chunks that it touched.
struct ChunkList: Sendable, RandomAccessCollection {
    // Large enough that a list of groups is short beside the rows, small enough that edits all over a library do not touch
    // every group.
    private static let groupShift = 4
    private static let groupSize = 1 << groupShift

    private struct Entry: Sendable {
        let chunk: Chunk
        // Beside the reference, so that a fetch that passes over most chunks has no need to look at them.
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
        get { groups[index >> Self.groupShift][index & (Self.groupSize - 1)].chunk }
        set { groups[index >> Self.groupShift][index & (Self.groupSize - 1)] = Entry(newValue) }
    }

    mutating func append(_ chunk: Chunk) {
        if count & (Self.groupSize - 1) == 0 { groups.append([]) }
        groups[groups.count - 1].append(Entry(chunk))
        count += 1
    }

    /// What the creation dates of a chunk are between.
    @inline(__always)
    func creationBounds(_ index: Int) -> DateBounds {
        groups[index >> Self.groupShift][index & (Self.groupSize - 1)].bounds
    }
}
