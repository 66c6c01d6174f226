import ThumbwheelLocks

/// The blocks of another source that a `RangeGatherer` has brought. They are held in memory and read at their original
/// offsets.
///
/// A read of other bytes throws, and the source remembers that its blocks were not enough. Decoders may ignore the error
/// of a part that they can do without, so whoever uses a decoder asks `isLacking` afterwards.
package final class GatheredByteSource: ByteSource {
    package let byteCount: Int
    private let blocks: [Int: ArraySlice<UInt8>]
    private let lacks = Mutex(false)

    init(byteCount: Int, blocks: [Int: ArraySlice<UInt8>]) {
        self.byteCount = byteCount
        self.blocks = blocks
    }

    /// Whether anybody has asked for bytes that are not here.
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
