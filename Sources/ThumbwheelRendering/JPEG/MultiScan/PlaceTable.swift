/// Lists the zigzag positions of a set of coefficients, for example of those that are still zero in a block. With this
/// list, one lookup finds the coefficient that follows a given number of zero coefficients.
final class PlaceTable: Sendable {
    static let shared = PlaceTable()

    /// The number of entries that may be read beyond a list's last coefficient. A reader that skips a run of zero
    /// coefficients does not check first whether the list is long enough.
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

    /// Writes the members of a set in rising order, followed by 16 copies of `end`. The set is given by its bits, and
    /// its members are the positions of the 1 bits. A reader of the list may skip up to 16 places from a member. If
    /// this leads beyond the last member, the reader finds `end`.
    ///
    /// - Returns: the number of members.
    @inline(__always) func list(_ set: UInt64, end: Int, into list: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        var left = set
        var first: UInt64 = 0
        let target = UnsafeMutableRawPointer(list)
        for _ in 0..<8 {
            let byte = Int(truncatingIfNeeded: left & 255)
            // The positions in `places` are counted from the first bit of the byte. Each of the eight bytes of `first`
            // holds the position of that bit in the set. So one addition turns all eight positions into positions in
            // the set. No byte of the sum carries into the next byte.
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
