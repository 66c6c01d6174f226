/// The chunks of a snapshot in order, as a value: a transaction copies the list of groups, and of these the ones with
/// chunks that it touched.
struct ChunkList: Sendable, RandomAccessCollection {
    private static let groupShift = 6
    private static let groupSize = 1 << groupShift

    private var groups: [[Chunk]] = []
    // Beside one another, so that a fetch that passes over most chunks has no need to look at them.
    private var bounds: [[DateBounds]] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    init() {}

    init(_ chunks: some Sequence<Chunk>) {
        for chunk in chunks { append(chunk) }
    }

    @inline(__always)
    subscript(index: Int) -> Chunk {
        get { groups[index >> Self.groupShift][index & (Self.groupSize - 1)] }
        set {
            groups[index >> Self.groupShift][index & (Self.groupSize - 1)] = newValue
            bounds[index >> Self.groupShift][index & (Self.groupSize - 1)] = newValue.columns.creationBounds
        }
    }

    mutating func append(_ chunk: Chunk) {
        if count & (Self.groupSize - 1) == 0 {
            groups.append([])
            bounds.append([])
        }
        groups[groups.count - 1].append(chunk)
        bounds[bounds.count - 1].append(chunk.columns.creationBounds)
        count += 1
    }

    /// What the creation dates of a chunk are between.
    @inline(__always)
    func creationBounds(_ index: Int) -> DateBounds {
        bounds[index >> Self.groupShift][index & (Self.groupSize - 1)]
    }
}
