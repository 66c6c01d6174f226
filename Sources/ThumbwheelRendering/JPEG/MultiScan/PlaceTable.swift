/// Lists the zigzag positions of a set of coefficients, for example of those that are still zero in a block. With this
/// list, one lookup finds the coefficient that follows a given number of zero coefficients.
final class PlaceTable: Sendable {
    static let shared = PlaceTable()

    /// The number of spare entries at the end of a list's memory. A reader that skips a run of zero coefficients does
    /// not check first whether the list is long enough. So it may read entries after the last one.
    private static let slack = 40
    static let listCapacity = 64 + slack

    // For each byte value, the positions of its set bits. Each byte of the word holds one position, beginning with the
    // lowest byte. Written only inside `init`.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<UInt64>
    // For each byte value, the number of its set bits. Written only inside `init`.
    private nonisolated(unsafe) let counts: UnsafeMutablePointer<UInt8>

    private init() {
        places = .allocate(capacity: 256)
        counts = .allocate(capacity: 256)
        for byte in 0..<256 {
            let members = (0..<8).filter { byte >> $0 & 1 == 1 }
            let packed = members.enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
            (places + byte).initialize(to: packed)
            (counts + byte).initialize(to: UInt8(members.count))
        }
    }

    /// Writes the positions of the 1 bits of `set` to `list`, in rising order, followed by 16 copies of `end`. A reader
    /// of the list skips up to 15 entries at a time. If it skips past the last position, it finds `end`.
    ///
    /// - Returns: the number of 1 bits in `set`.
    @inline(__always) func list(_ set: UInt64, end: Int, into list: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        var left = set
        var first: UInt64 = 0
        let target = UnsafeMutableRawPointer(list)
        for _ in 0..<8 {
            let byte = Int(truncatingIfNeeded: left & 255)
            // `places` has the positions of the 1 bits within `byte`. Each of the eight bytes of `first` holds the
            // position of the lowest bit of `byte` within the set. So one addition turns eight positions within `byte`
            // into positions within the set. No sum is too large for its byte, so nothing is carried over to the next
            // byte.
            target.storeBytes(of: places[byte] &+ first, toByteOffset: count, as: UInt64.self)
            count &+= Int(counts[byte])
            left = left &>> 8
            first &+= 0x0808_0808_0808_0808
        }
        let ends = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: end))
        target.storeBytes(of: ends, toByteOffset: count, as: SIMD16<UInt8>.self)
        return count
    }
}
