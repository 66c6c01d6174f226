/// Parts of another source that are stored in memory and read at their original offsets. All bytes between the parts
/// read as zeros.
///
/// It serves decoders that expect a whole file but read little of it.
public struct SparseByteSource: ByteSource {
    public let byteCount: Int
    private let parts: [(start: Int, bytes: [UInt8])]

    /// Reads `ranges` of `base`, each in one read.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    public init(_ base: any ByteSource, keeping ranges: [Range<Int>]) throws(ByteSourceError) {
        byteCount = base.byteCount
        var parts: [(start: Int, bytes: [UInt8])] = []
        for range in ranges {
            let wanted = range.clamped(to: 0..<base.byteCount)
            parts.append((wanted.lowerBound, try base.bytes(in: wanted)))
        }
        self.parts = parts
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let wanted = offset..<offset + min(buffer.count, byteCount - offset)
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted.count]).initializeMemory(as: UInt8.self, repeating: 0)
        for part in parts {
            let shared = wanted.clamped(to: part.start..<part.start + part.bytes.count)
            guard !shared.isEmpty else { continue }
            part.bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[(shared.lowerBound - offset)...]).copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: bytes[shared.lowerBound - part.start..<shared.upperBound - part.start]))
            }
        }
        return wanted.count
    }
}
