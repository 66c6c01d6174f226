/// Bits of deflate data, which are read from the lowest bit of each byte on.
struct InflateBits {
    let bytes: UnsafeRawPointer
    /// The index of the next bit.
    private(set) var position: Int
    private let end: Int

    /// - Parameters:
    ///   - bytes: the data. Eight bytes behind them may be read.
    ///   - position: the index of the first bit to read.
    ///   - end: the index behind the last bit of the data.
    init(_ bytes: UnsafeRawPointer, from position: Int, to end: Int) {
        precondition(0 <= position && position <= end)
        self.bytes = bytes
        self.position = position
        self.end = end
    }

    /// The number of bits that are left.
    var left: Int { end - position }

    /// At least 57 bits from the next one on. Bits behind the end have any value.
    var word: UInt64 { inflateWord(bytes, position) }

    /// Passes bits, no more than are left.
    mutating func pass(_ count: Int) {
        precondition(count <= left)
        position += count
    }

    /// Takes up to 32 bits, no more than are left.
    mutating func take(_ count: Int) -> Int {
        let value = Int(truncatingIfNeeded: word & (1 << UInt64(count) - 1))
        pass(count)
        return value
    }

    /// Passes the rest of a byte that was taken in part.
    mutating func passToByte() { pass(min(left, -position & 7)) }
}

/// Returns at least 57 bits of data from a bit on, whose index is `position`.
@inline(__always)
func inflateWord(_ bytes: UnsafeRawPointer, _ position: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self).littleEndian &>> UInt64(position & 7)
}
