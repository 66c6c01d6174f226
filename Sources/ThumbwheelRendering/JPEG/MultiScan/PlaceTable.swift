/// Lists the members of a set of coefficients: with the list at hand, the coefficient behind so many zeros is one lookup.
final class PlaceTable: Sendable {
    static let shared = PlaceTable()

    /// Entries behind the last member that a list has, so that a run of zeros that goes beyond it need not be foreseen.
    private static let slack = 40
    static let listCapacity = 64 + slack

    // For each byte, the numbers of its bits that are set, a byte each from the lowest; and how many they are. Written only
    // inside `init`.
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

    /// Writes a set's members in rising order, and behind them `end` as often as a run may be long.
    ///
    /// - Returns: how many members there are.
    @inline(__always) func list(_ set: UInt64, end: Int, into list: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        var left = set
        var first: UInt64 = 0
        let target = UnsafeMutableRawPointer(list)
        for _ in 0..<8 {
            let byte = Int(truncatingIfNeeded: left & 255)
            // The sum cannot carry from one byte to the next.
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
