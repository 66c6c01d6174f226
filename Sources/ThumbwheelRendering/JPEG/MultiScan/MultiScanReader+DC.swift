extension MultiScanReader {
    /// Reads the DC coefficients of the minimum coded units in `units`. Each is coded as the difference from that of
    /// the component's block before (T.81, F.2.1.3.1 and G.1.2.1). `limit` and the result are those of
    /// `read(_:_:limit:)`.
    func readDifferences(_ targets: UnsafeBufferPointer<Target>, _ units: Range<Int>, limit: UInt) -> Int? {
        var bits = bits
        defer { self.bits = bits }
        let low = Int16(scan.lowBit)
        for unit in units {
            for target in targets {
                bits.refill()
                guard let difference = target.readDifference(&bits) else { return nil }
                let sum = target.prediction.pointee &+ difference
                target.prediction.pointee = sum
                target.coefficients[unit &* target.step] = Int16(truncatingIfNeeded: sum) &<< low
            }
            if bits.address > limit { return unit &+ 1 }
        }
        return units.upperBound
    }

    /// Reads one more bit of each DC coefficient, below the bits that earlier scans contain. These bits are in the data
    /// without any code (T.81, G.1.2.1). `limit` and the result are those of `read(_:_:limit:)`.
    func readNextDCBits(_ targets: UnsafeBufferPointer<Target>, _ units: Range<Int>, limit: UInt) -> Int? {
        var bits = bits
        defer { self.bits = bits }
        let low = Int16(scan.lowBit)
        for unit in units {
            // One refill is enough: a minimum coded unit has at most 10 blocks, with one bit each.
            bits.refill()
            for target in targets {
                target.coefficients[unit &* target.step] |= Int16(truncatingIfNeeded: bits.take(1)) &<< low
            }
            if bits.address > limit { return unit &+ 1 }
        }
        return units.upperBound
    }
}

extension MultiScanReader.Target {
    /// Reads the difference of a DC coefficient; nil if the data match no code. `bits` must have at least 16 valid
    /// bits, because the longest code has 16.
    @inline(__always) func readDifference(_ bits: inout EntropyBits) -> Int? {
        let entry = dcEntries[bits.index()]
        if entry >> 8 & 255 == 1 {
            bits.drop(Int(entry & 255))
            return Int(Int16(truncatingIfNeeded: entry >> 16))
        }
        guard let size = MultiScanTable.symbol(entry, &bits, dc), size <= 15 else { return nil }
        bits.refill()
        return HuffmanCode.extended(bits.take(size), size: size)
    }
}

extension MultiScanTable {
    /// Consumes a code and returns its symbol, or nil if the data match no code. `entry` is the code's table entry,
    /// which does not contain a complete value, or not even the code.
    @inline(__always)
    static func symbol(_ entry: UInt32, _ bits: inout EntropyBits, _ table: Unmanaged<MultiScanTable>) -> Int? {
        var entry = entry
        if entry & 255 == 0 {
            entry = longCode(table, at: bits.address)
            if entry == 0 { return nil }
        }
        bits.drop(Int(entry & 255))
        return Int(entry >> 16)
    }

    /// Finds the next code without the table, which does not contain long codes. Returns the code's length and, from
    /// bit 16 on, its symbol; 0 if no code matches. The data are given by their address, so that the caller's
    /// `EntropyBits` can stay in registers.
    @inline(never) private static func longCode(_ table: Unmanaged<MultiScanTable>, at address: UInt) -> UInt32 {
        var bits = EntropyBits(address: address)
        bits.refill()
        let code = table.takeUnretainedValue().code
        guard let (symbol, length) = code.symbol(at: Int(bits.bits &>> 48)) else { return 0 }
        return UInt32(length) | UInt32(symbol) << 16
    }
}
