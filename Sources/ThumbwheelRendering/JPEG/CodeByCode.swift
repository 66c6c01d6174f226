/// Reads one code and its extra bits, whatever their length.
///
/// It takes and gives values, not the lane: that never has an address, and stays in registers.
struct CodeByCode {
    /// The next bit, in bits of the address space.
    private(set) var bitAddress: UInt
    /// Where the block goes on; 64 at its end, more where there is no such code or no such place.
    private(set) var place = 65

    /// - Parameter place: where the block is.
    @inline(never) init(
        at bitAddress: UInt, place: Int, block: UnsafePointer<BlockCursor>,
        codes: UnsafePointer<HuffmanCode>
    ) {
        self.bitAddress = bitAddress
        let isDC = place == 0
        let bytes = UnsafeRawPointer(bitPattern: bitAddress &>> 3).unsafelyUnwrapped
        let bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) &<< UInt64(bitAddress & 7)
        let code = isDC ? block.pointee.dcCode : block.pointee.acCode
        guard let (symbol, length) = codes[code].symbol(at: Int(bits &>> 48)) else { return }
        let size = isDC ? symbol : symbol & 15
        guard size <= 15 else { return }
        var value = 0
        if size > 0 {
            value = Int((bits &<< UInt64(length)) &>> UInt64(64 &- size))
            // Those whose first bit is 0 are negative, less one (T.81, F.2.2.1).
            if value &>> (size &- 1) == 0 { value &-= 1 &<< size &- 1 }
        }
        self.bitAddress &+= UInt(length &+ size)
        let run = isDC ? 0 : symbol &>> 4
        if !isDC, size == 0, run < 15 {
            self.place = 64
            return
        }
        let reached = place &+ run &+ 1
        guard reached <= 64 else { return }
        block.pointee.output[Int(block.pointee.slots[reached])] = Int16(truncatingIfNeeded: value)
        self.place = reached
    }
}
