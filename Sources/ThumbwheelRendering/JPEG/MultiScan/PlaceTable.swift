/// Lists the zigzag positions of a set of coefficients, for example of those that are still zero in a block. With this
/// list, one lookup finds the coefficient that follows a given number of zero coefficients.
final class PlaceTable: Sendable {
    static let shared = PlaceTable()

    /// The number of readable entries after the last coefficient in a list. A reader that follows a run of zeros may
    /// read there without a check.
    private static let slack = 40
    static let listCapacity = 64 + slack

    // For each byte value, the positions of its set bits (`places`) and their number (`counts`). Each byte of a word in
    // `places` holds one position, beginning with the lowest byte. Both are written only inside `init`.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<UInt64>
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

    /// Writes a set's members in rising order, and then 16 times `end`, because a run of zeros may lead beyond the last
    /// member.
    ///
    /// - Returns: the number of members.
    @inline(__always) func list(_ set: UInt64, end: Int, into list: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        var left = set
        var first: UInt64 = 0
        let target = UnsafeMutableRawPointer(list)
        for _ in 0..<8 {
            let byte = Int(truncatingIfNeeded: left & 255)
            // `first` holds the number of the byte's first bit, repeated eight times. One addition adds it to eight
            // positions, and no byte of the sum carries into the next byte.
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
