import ThumbwheelLocks

/// A source that consists of the blocks that a `RangeGatherer` has read from another source. The blocks are in memory
/// and are read at their original offsets.
///
/// A read of other bytes throws and sets `isLacking`. A decoder may ignore the error if it can do without the bytes. So
/// code that runs a decoder checks `isLacking` afterwards.
package final class GatheredByteSource: ByteSource {
    package let byteCount: Int
    /// Whether no further bytes are fetched if a decoder asks for some.
    package let isLast: Bool
    private let blocks: [Int: ArraySlice<UInt8>]
    private let lacks = Mutex(false)

    init(byteCount: Int, blocks: [Int: ArraySlice<UInt8>], isLast: Bool) {
        self.byteCount = byteCount
        self.isLast = isLast
        self.blocks = blocks
    }

    /// Whether a read has asked for bytes that are in no block.
    package var isLacking: Bool { lacks.withLock { $0 } }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard let wanted = SourceBlocks.range(of: buffer, at: offset, byteCount: byteCount) else { return 0 }
        guard SourceBlocks.copy(blocks, of: wanted, into: buffer) else {
            lacks.withLock { $0 = true }
            throw .network(.truncated(receivedByteCount: offset, expectedByteCount: byteCount))
        }
        return wanted.count
    }
}
