/// Reads entropy-coded data bit by bit, from the top of each byte. It is a plain value, so that loops keep it in
/// registers.
///
/// A refill loads bytes from the address `next`, as many as fit, and moves `next` past them. The following refill
/// begins there, however many bits are consumed in between. So the processor can load the bytes of a refill before the
/// codes in front of them are decoded, and decoding waits only for the look-up of each code in its table.
struct EntropyBits {
    /// The next bits of the data. The first of these bits is the top bit of the word.
    private(set) var bits: UInt64 = 0
    // The number of valid bits at the top of `bits`. The bits below them are either the next bits of the data or zero.
    private var count = 0
    private var next: UnsafeRawPointer

    init(at start: UnsafePointer<UInt8>) {
        next = UnsafeRawPointer(start)
    }

    /// Begins at a given bit. `address` is the address of a byte times 8, plus the number of the bit in that byte.
    init(address: UInt) {
        next = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        refill()
        drop(Int(address & 7))
    }

    /// The address of the next bit, counted in bits: the byte's address times 8 plus the bit's number.
    @inline(__always) var address: UInt { UInt(bitPattern: next) &* 8 &- UInt(bitPattern: count) }

    /// Loads more bits, so that at least 56 are valid.
    @inline(__always) mutating func refill() {
        bits |= UInt64(bigEndian: next.loadUnaligned(as: UInt64.self)) &>> UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    /// Skips a number of valid bits.
    @inline(__always) mutating func drop(_ dropped: Int) {
        bits = bits &<< UInt64(truncatingIfNeeded: dropped)
        count &-= dropped
    }

    /// Consumes the next `count` bits, up to 16, and returns them as a number.
    @inline(__always) mutating func take(_ count: Int) -> Int {
        let value = Int(truncatingIfNeeded: (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count))
        drop(count)
        return value
    }

    /// The next bits of the data, as an index into the entries of a `MultiScanTable`. Consumes nothing.
    @inline(__always) func index() -> Int { Int(truncatingIfNeeded: bits &>> UInt64(64 &- MultiScanTable.bits)) }
}
