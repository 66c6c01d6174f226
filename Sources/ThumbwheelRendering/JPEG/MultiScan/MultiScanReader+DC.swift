extension MultiScanReader {
    /// Reads the DC coefficients of the minimum coded units in `units`. The data contain each of them as a difference
    /// from the DC coefficient of the previous block of the same component (T.81, F.2.1.3.1 and G.1.2.1).
    ///
    /// - Parameter limit: the same as for `read(_:_:limit:)`.
    /// - Returns: the same as `read(_:_:limit:)`.
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
    /// without any code (T.81, G.1.2.1).
    ///
    /// - Parameter limit: the same as for `read(_:_:limit:)`.
    /// - Returns: the same as `read(_:_:limit:)`.
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
    /// Consumes a code and returns its symbol; nil if the data match no code. The reader calls this function if the
    /// table entry for the next bits contains no complete value.
    ///
    /// - Parameter entry: the table entry for the next bits. It contains the code's length and symbol. If that length
    ///   is 0, the code is found without the table.
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

    /// Finds the next code without the table, because the table does not contain long codes. Returns the code's length
    /// in bits 0–15 and its symbol from bit 16 on; 0 if no code matches. The position in the data is given by its
    /// address, so that the caller's `EntropyBits` can stay in registers.
    @inline(never) private static func longCode(_ table: Unmanaged<MultiScanTable>, at address: UInt) -> UInt32 {
        var bits = EntropyBits(address: address)
        bits.refill()
        let code = table.takeUnretainedValue().code
        guard let (symbol, length) = code.symbol(at: Int(bits.bits &>> 48)) else { return 0 }
        return UInt32(length) | UInt32(symbol) << 16
    }
}
