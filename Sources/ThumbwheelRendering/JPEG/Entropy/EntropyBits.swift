/// Reads entropy-coded data bit by bit, from the top of each byte; a plain value, so that loops keep it in registers.
///
/// Where the next bytes are is known long before they are needed: a code's length only decides how far they are shifted, so
/// that nothing waits for a load from memory but the lookup of the code itself.
struct EntropyBits {
    /// The next bits, from the top.
    private(set) var bits: UInt64 = 0
    // How many of them count; those behind are right as well, or zero.
    private var count = 0
    private var next: UnsafeRawPointer

    init(at start: UnsafePointer<UInt8>) {
        next = UnsafeRawPointer(start)
    }

    /// Begins at a place in bits of the address space.
    init(address: UInt) {
        next = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        refill()
        drop(Int(address & 7))
    }

    /// The place of the next bit, in bits of the address space.
    @inline(__always) var address: UInt { UInt(bitPattern: next) &* 8 &- UInt(bitPattern: count) }

    /// At least 56 bits count afterwards.
    @inline(__always) mutating func refill() {
        bits |= UInt64(bigEndian: next.loadUnaligned(as: UInt64.self)) &>> UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    /// Passes over bits that count.
    @inline(__always) mutating func drop(_ dropped: Int) {
        bits = bits &<< UInt64(truncatingIfNeeded: dropped)
        count &-= dropped
    }

    /// The next `count` bits, up to 16, as a number.
    @inline(__always) mutating func take(_ count: Int) -> Int {
        let value = Int(truncatingIfNeeded: (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count))
        drop(count)
        return value
    }

    /// What the next bits say in a table.
    @inline(__always) func index() -> Int { Int(truncatingIfNeeded: bits &>> UInt64(64 &- MultiScanTable.bits)) }
}
