/// The parts of a file that are in a window at this moment. Each of them has a block of the window.
///
/// There are several blocks, because two threads may read two parts of a file in turn, and because the host fills one
/// block while another is read.
struct WindowBlocks {
    struct Block {
        /// The part of the file.
        var range = 0..<0
        /// The place in the window of the part's first byte.
        let place: Int
        /// Whether a reader has gone on to this part from the part before it.
        fileprivate var isContinuation = false
        fileprivate var lastUse = 0
    }

    /// A part of the file that the host is to place in a block.
    struct Order: Equatable {
        let offset: Int
        let count: Int
        fileprivate let index: Int
        fileprivate let isContinuation: Bool

        /// The place in the window of the part's first byte.
        var place: Int { index * WindowBlocks.byteCount }
    }

    private static let count = 4
    /// The bytes of one block.
    static let byteCount = MessageFormat.windowByteCount / count
    /// If reading ahead is allowed, the host is asked for at least this number of bytes, even if fewer are needed.
    private static let minimumReadCount = 64 << 10

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

    /// Chooses a block for the bytes from `offset` on, and empties it. A reader that goes on where a block ends gets a
    /// whole block, if bytes may be read ahead.
    ///
    /// - Parameter wanted: the number of bytes that are needed.
    mutating func order(from offset: Int, atLeast wanted: Int) -> Order {
        let continued = blocks.firstIndex { !$0.range.isEmpty && $0.range.upperBound == offset }
        return order(
            from: offset, in: continued ?? leastRecent, atLeast: wanted, isContinuation: continued != nil)
    }

    /// Chooses a block for the bytes that follow `block`, and empties it. Nil if they need not be asked for yet: `block`
    /// is the first that its reader reads, or they are in the window, or bytes may not be read ahead.
    mutating func order(after block: Block) -> Order? {
        let offset = block.range.upperBound
        guard readsAhead, block.isContinuation, offset < fileEnd,
            !blocks.contains(where: { $0.range.contains(offset) })
        else { return nil }
        // The block that this reader has done with, so that no other reader loses one.
        let finished = blocks.firstIndex { !$0.range.isEmpty && $0.range.upperBound == block.range.lowerBound }
        return order(from: offset, in: finished ?? leastRecent, atLeast: 0, isContinuation: true)
    }

    private var leastRecent: Int { blocks.indices.min { blocks[$0].lastUse < blocks[$1].lastUse }! }

    private mutating func order(from offset: Int, in index: Int, atLeast wanted: Int, isContinuation: Bool) -> Order {
        blocks[index].range = 0..<0
        let ahead = isContinuation ? Self.byteCount : Self.minimumReadCount
        let count = min(readsAhead ? max(wanted, ahead) : wanted, Self.byteCount, fileEnd - offset)
        return Order(offset: offset, count: count, index: index, isContinuation: isContinuation)
    }

    /// Notes that the host has placed the first `count` bytes of an order.
    mutating func fill(_ order: Order, count: Int) -> Block {
        useCount += 1
        blocks[order.index].range = order.offset..<order.offset + count
        blocks[order.index].isContinuation = order.isContinuation
        blocks[order.index].lastUse = useCount
        return blocks[order.index]
    }
}
