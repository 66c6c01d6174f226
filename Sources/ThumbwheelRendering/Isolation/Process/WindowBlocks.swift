/// The parts of a file that are in a window at this moment. The window is memory in which the host places bytes for a
/// decoder process. It is divided into blocks, and each part of the file is in one block.
///
/// There are several blocks for two reasons. Two threads may read two parts of the file in turn. And the host fills one
/// block while the decoder reads another.
struct WindowBlocks {
    struct Block {
        /// The range of bytes of the file that are in the block.
        var range = 0..<0
        /// The offset of the block in the window.
        let place: Int
        /// Whether the part before this one, or a part shortly before it, was in the window when this part was
        /// requested. A reader then probably reads the file from its start to its end, part by part, so the part after
        /// this one may be requested ahead.
        fileprivate var isContinuation = false
        fileprivate var lastUse = 0
    }

    /// A part of the file that the host is to place in a block.
    struct ReadRequest: Equatable {
        let offset: Int
        let count: Int
        fileprivate let index: Int
        fileprivate let isContinuation: Bool

        /// The offset in the window at which the host places the bytes.
        var place: Int { index * WindowBlocks.byteCount }
    }

    private static let count = 4
    /// The number of bytes of one block.
    static let byteCount = MessageFormat.windowByteCount / count
    /// If reading ahead is allowed, the host is asked for at least this number of bytes, even if fewer are needed.
    private static let minimumReadCount = 64 << 10

    /// The most bytes that a reader may skip after a block and still count as one that goes on.
    private static let gapLimit = 64 << 10

    private let fileEnd: Int
    private let readsAhead: Bool
    private var blocks = (0..<count).map { Block(place: $0 * byteCount) }
    private var useCount = 0

    /// - Parameter readsAhead: whether more bytes may be asked for than are needed.
    init(fileEnd: Int, readsAhead: Bool) {
        self.fileEnd = fileEnd
        self.readsAhead = readsAhead
    }

    /// The block that contains the byte of the file at `offset`; nil if there is none.
    mutating func block(containing offset: Int) -> Block? {
        guard let index = blocks.firstIndex(where: { $0.range.contains(offset) }) else { return nil }
        useCount += 1
        blocks[index].lastUse = useCount
        return blocks[index]
    }

    /// Chooses a block for the bytes from `offset` on, and empties it. The request is for a whole block of bytes if
    /// bytes may be read ahead and `offset` is the end of another block or lies shortly after it, because a reader then
    /// probably reads the file from its start to its end, part by part. A reader of heads that follows the chunks of a
    /// PNG skips the contents of each.
    ///
    /// The block that is emptied is the nearest one that ends before `offset`, because its reader has finished with it.
    /// Others that end shortly before `offset` may belong to other readers.
    ///
    /// - Parameter wanted: the number of bytes that are needed.
    mutating func request(from offset: Int, atLeast wanted: Int) -> ReadRequest {
        // Without reading ahead, blocks are short, and many of them can lie within the limit of a gap.
        let limit = readsAhead ? Self.gapLimit : 0
        let continued = blocks.indices
            .filter { !blocks[$0].range.isEmpty && 0...limit ~= offset - blocks[$0].range.upperBound }
            .max { blocks[$0].range.upperBound < blocks[$1].range.upperBound }
        return request(
            from: offset, in: continued ?? leastRecent, atLeast: wanted, isContinuation: continued != nil)
    }

    /// Chooses a block for the bytes that follow `block`, and empties it. Returns nil in each of these cases:
    /// - Bytes may not be read ahead.
    /// - `block` did not continue another part (`isContinuation`), so it is uncertain whether its reader will go on.
    /// - The file ends with `block`.
    /// - The bytes are in the window already.
    mutating func request(after block: Block) -> ReadRequest? {
        let offset = block.range.upperBound
        guard readsAhead, block.isContinuation, offset < fileEnd,
            !blocks.contains(where: { $0.range.contains(offset) })
        else { return nil }
        // If possible, empties the block before `block`, because the reader of `block` has finished with it. So the
        // other blocks, which other readers may need, keep their bytes.
        let finished = blocks.firstIndex { !$0.range.isEmpty && $0.range.upperBound == block.range.lowerBound }
        return request(from: offset, in: finished ?? leastRecent, atLeast: 0, isContinuation: true)
    }

    private var leastRecent: Int { blocks.indices.min { blocks[$0].lastUse < blocks[$1].lastUse }! }

    private mutating func request(
        from offset: Int, in index: Int, atLeast wanted: Int, isContinuation: Bool
    ) -> ReadRequest {
        blocks[index].range = 0..<0
        let ahead = isContinuation ? Self.byteCount : Self.minimumReadCount
        let count = min(readsAhead ? max(wanted, ahead) : wanted, Self.byteCount, fileEnd - offset)
        return ReadRequest(offset: offset, count: count, index: index, isContinuation: isContinuation)
    }

    /// Notes that the host has placed the first `count` bytes of a request.
    mutating func fill(_ request: ReadRequest, count: Int) -> Block {
        useCount += 1
        blocks[request.index].range = request.offset..<request.offset + count
        blocks[request.index].isContinuation = request.isContinuation
        blocks[request.index].lastUse = useCount
        return blocks[request.index]
    }
}
