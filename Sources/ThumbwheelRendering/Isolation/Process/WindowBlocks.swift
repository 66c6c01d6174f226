/// The parts of a file that are in a window at this moment. Each of them has a block of the window.
///
/// There are several blocks, because two threads may read two parts of a file in turn.
struct WindowBlocks {
    struct Block {
        /// The part of the file.
        var range = 0..<0
        /// The place in the window of the part's first byte.
        let place: Int
        fileprivate var lastUse = 0
    }

    private static let count = 4
    /// The bytes of one block.
    static let byteCount = MessageFormat.windowByteCount / count
    /// The number of bytes that are asked for at least, if more than the needed bytes may be asked for.
    private static let minimumReadCount = 64 << 10

    private var blocks = (0..<count).map { Block(place: $0 * byteCount) }
    private var useCount = 0

    /// The block that contains the byte of the file at `offset`; nil if there is none.
    mutating func block(containing offset: Int) -> Block? {
        guard let index = blocks.firstIndex(where: { $0.range.contains(offset) }) else { return nil }
        useCount += 1
        blocks[index].lastUse = useCount
        return blocks[index]
    }

    /// Chooses a block for the bytes from `offset` on, and empties it.
    ///
    /// - Parameter wanted: the number of bytes that are needed.
    /// - Returns: the number of bytes to ask for, and the block's index. If `readsAhead`, a reader that goes on where a
    ///   block ends gets a whole block.
    mutating func prepare(
        for offset: Int, atLeast wanted: Int, fileEnd: Int, readsAhead: Bool
    ) -> (count: Int, index: Int) {
        let continued = blocks.firstIndex { !$0.range.isEmpty && $0.range.upperBound == offset }
        let index = continued ?? blocks.indices.min { blocks[$0].lastUse < blocks[$1].lastUse }!
        let ahead = continued == nil ? Self.minimumReadCount : Self.byteCount
        blocks[index].range = 0..<0
        return (min(readsAhead ? max(wanted, ahead) : wanted, Self.byteCount, fileEnd - offset), index)
    }

    /// Notes that a block holds `count` bytes of the file from `offset` on.
    mutating func fill(_ index: Int, from offset: Int, count: Int) -> Block {
        useCount += 1
        blocks[index].range = offset..<offset + count
        blocks[index].lastUse = useCount
        return blocks[index]
    }
}
