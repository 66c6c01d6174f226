/// Blocks of equal length, into which a source is divided when only parts of it are read.
enum SourceBlocks {
    /// The length of a block in bytes; the last block of a source may be shorter. One block can serve several small
    /// reads near each other, and a read contains less than one block too much at each end.
    static let byteCount = 16 << 10

    /// The numbers of the blocks that contain a range's bytes.
    static func numbers(of range: Range<Int>) -> Range<Int> {
        range.isEmpty ? 0..<0 : range.lowerBound / byteCount..<(range.upperBound - 1) / byteCount + 1
    }

    /// The range that a read asks for, cut off at the end of a source; nil if it is empty.
    static func range(of buffer: UnsafeMutableRawBufferPointer, at offset: Int, byteCount: Int) -> Range<Int>? {
        guard offset >= 0, offset < byteCount, !buffer.isEmpty else { return nil }
        return offset..<offset + min(buffer.count, byteCount - offset)
    }

    /// Copies a range into a buffer.
    ///
    /// - Returns: false if a block is missing or too short; the buffer's contents are then of no use.
    static func copy(
        _ blocks: [Int: ArraySlice<UInt8>], of wanted: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
    ) -> Bool {
        for number in numbers(of: wanted) {
            let start = number * byteCount
            let part = wanted.clamped(to: start..<start + byteCount)
            guard let block = blocks[number], block.count >= part.upperBound - start else { return false }
            block.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[(part.lowerBound - wanted.lowerBound)...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[part.lowerBound - start..<part.upperBound - start]))
            }
        }
        return true
    }
}
