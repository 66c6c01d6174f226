/// Reads the groups of eight numbers that `GroupWriter` stored in few bits. It never reads past the end of the bytes,
/// but does not check whether their contents are valid. Bytes that were stored outside the process are checked before,
/// by `PackedBitmap.init(size:bytes:)`.
struct GroupReader {
    private let source: UnsafeRawBufferPointer
    private var offset = 0

    init(_ source: UnsafeRawBufferPointer) {
        self.source = source
    }

    @inline(__always)
    mutating func read(into group: UnsafeMutablePointer<UInt8>) {
        precondition(offset + PackedBitmap.groupLength < source.count, "more groups than were packed")
        let bits = Int(source[offset])
        let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self))
        let mask = UInt8(truncatingIfNeeded: (1 &<< bits) - 1)
        for index in 0..<PackedBitmap.groupLength {
            group[index] = UInt8(truncatingIfNeeded: word &>> UInt64(index * bits)) & mask
        }
        offset += 1 + bits
    }
}
