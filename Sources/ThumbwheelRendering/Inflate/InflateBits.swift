/// A cursor over the bits of deflate data. Within each byte, the lowest bit comes first.
struct InflateBits {
    let bytes: UnsafeRawPointer
    /// The index of the next bit to read, counted from the start of `bytes`.
    private(set) var position: Int
    private let end: Int

    /// - Parameters:
    ///   - bytes: the data, followed by at least eight bytes that may be read, too.
    ///   - position: the index of the first bit to read.
    ///   - end: the index after the last bit of the data.
    init(_ bytes: UnsafeRawPointer, from position: Int, to end: Int) {
        precondition(0 <= position && position <= end)
        self.bytes = bytes
        self.position = position
        self.end = end
    }

    /// The number of bits that have not been read yet.
    var left: Int { end - position }

    /// The next bits, at least 57 of them. The next bit is the lowest bit of the word. Bits after the end of the data
    /// may have any value.
    var word: UInt64 { inflateWord(bytes, position) }

    /// Skips `count` bits. At least so many bits must be left.
    mutating func pass(_ count: Int) {
        precondition(count <= left)
        position += count
    }

    /// Reads a number of `count` bits, at most 32. At least so many bits must be left.
    mutating func take(_ count: Int) -> Int {
        let value = Int(truncatingIfNeeded: word & (1 << UInt64(count) - 1))
        pass(count)
        return value
    }

    /// Skips the unread bits of a byte that has been read in part.
    mutating func passToByte() { pass(min(left, -position & 7)) }
}

/// Returns at least 57 bits of data, beginning with the bit at the index `position`. That bit is the lowest bit of the
/// result.
@inline(__always)
func inflateWord(_ bytes: UnsafeRawPointer, _ position: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self).littleEndian &>> UInt64(position & 7)
}
