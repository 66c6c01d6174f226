extension MultiScanReader {
    /// Reads the coefficients of a band from the first scan that contains them (T.81, F.2.2.2 and G.1.2.2). That scan
    /// contains either all bits of the coefficients, or all but the low bits, which later scans add.
    ///
    /// - Parameter limit: the same as for `read(_:_:limit:)`.
    /// - Returns: the same as `read(_:_:limit:)`.
    func readFirstBits(_ target: Target, _ units: Range<Int>, limit: UInt) -> Int? {
        var bits = bits
        var endRun = endRun
        defer {
            self.bits = bits
            self.endRun = endRun
        }
        var unit = units.lowerBound
        while unit < units.upperBound {
            if endRun > 0 {
                let count = min(endRun, units.upperBound &- unit)
                endRun &-= count
                unit &+= count
                continue
            }
            guard let run = target.readBand(&bits, unit, from: scan.spectralStart, to: scan.spectralEnd) else {
                return nil
            }
            endRun = run
            unit &+= 1
            if bits.address > limit { return unit }
        }
        return unit
    }

    /// Reads all coefficients of each block of a sequential scan (T.81, F.2.2).
    ///
    /// - Parameter limit: the same as for `read(_:_:limit:)`.
    /// - Returns: the same as `read(_:_:limit:)`.
    func readCoefficients(_ targets: UnsafeBufferPointer<Target>, _ units: Range<Int>, limit: UInt) -> Int? {
        var bits = bits
        defer { self.bits = bits }
        for unit in units {
            for target in targets {
                bits.refill()
                guard let difference = target.readDifference(&bits) else { return nil }
                let sum = target.prediction.pointee &+ difference
                target.prediction.pointee = sum
                target.coefficients[unit &* target.step] = Int16(truncatingIfNeeded: sum)
                guard target.readBand(&bits, unit, from: 1, to: 63) != nil else { return nil }
            }
            if bits.address > limit { return unit &+ 1 }
        }
        return units.upperBound
    }
}

extension MultiScanReader.Target {
    /// Reads the coefficients of a band in one block. No bit of these coefficients may have been read before.
    ///
    /// - Returns: the number of blocks after this one that have no coefficient in the band (an end-of-band run). Nil if
    ///   the data match no code or lead beyond the band.
    @inline(__always)
    func readBand(_ bits: inout EntropyBits, _ unit: Int, from first: Int, to last: Int) -> Int? {
        guard let runs else { return nil }
        let entries = acEntries
        let coefficients = coefficients + unit &* step
        let history = history + unit &* step
        var marks: UInt64 = 0
        defer { history.pointee |= marks }
        var place = first
        while place <= lastKept {
            bits.refill()
            // Four table entries consume at most 40 bits, 10 each. A refill provides 56 bits.
            for _ in 0..<4 {
                let entry = entries[bits.index()]
                let reached = place &+ Int(entry >> 8 & 255)
                let value = Int16(truncatingIfNeeded: entry >> 16)
                let mark: UInt64 = value == 0 ? 0 : 1
                if reached <= last {
                    coefficients[Int(slots[reached])] = value
                    marks |= mark &<< UInt64(reached &- 1)
                    bits.drop(Int(entry & 255))
                    place = reached
                    continue
                }
                if Self.isEnd(reached, last) {
                    coefficients[Int(slots[reached & 127])] = value
                    marks |= mark &<< UInt64((reached & 127) &- 1)
                    bits.drop(Int(entry & 255))
                    return 0
                }
                switch readSymbol(entry, &bits, place, last) {
                case .coefficient(let value, let reached):
                    coefficients[Int(slots[reached])] = Int16(truncatingIfNeeded: value)
                    if value != 0 { marks |= 1 &<< UInt64(reached &- 1) }
                    if reached > last { return 0 }
                    place = reached
                case .end(let run): return run
                case .nothing: return nil
                }
                bits.refill()
            }
        }
        while true {
            bits.refill()
            for _ in 0..<3 {
                let entry = runs[bits.index()]
                let reached = place &+ Int(entry >> 8 & 255)
                if reached <= last {
                    marks |= (entry >> 16) &<< UInt64(place)
                    bits.drop(Int(entry & 255))
                    place = reached
                    continue
                }
                if Self.isEnd(reached, last) {
                    marks |= (entry >> 16) &<< UInt64(place)
                    bits.drop(Int(entry & 255))
                    return 0
                }
                switch readSymbol(entries[bits.index()], &bits, place, last) {
                case .coefficient(let value, let reached):
                    if value != 0 { marks |= 1 &<< UInt64(reached &- 1) }
                    if reached > last { return 0 }
                    place = reached
                case .end(let run): return run
                case .nothing: return nil
                }
                bits.refill()
            }
        }
    }

    /// Whether a table entry completes the block's band of coefficients. That is so in two cases:
    /// - The entry's last coefficient is the last one of the band.
    /// - The entry's last coefficient lies before the last one of the band, and the entry also contains an end of
    ///   block.
    ///
    /// - Parameters:
    ///   - reached: the zigzag position after the entry's last coefficient. If the entry also contains an end of block,
    ///     `MultiScanTable.ends` is added.
    ///   - last: the last zigzag position of the band.
    @inline(__always) private static func isEnd(_ reached: Int, _ last: Int) -> Bool {
        reached == last &+ 1 || reached >= MultiScanTable.ends && reached <= MultiScanTable.ends &+ last
    }

    private enum Found {
        /// A coefficient's value, and the zigzag position after the coefficient (`reached`). `PointTransform` has
        /// filled in the low bits that the scan lacks.
        case coefficient(Int, reached: Int)
        /// The end of the band in this block and in the following `run` blocks.
        case end(run: Int)
        case nothing
    }

    /// Reads one code and its extra bits. They may be longer than the 10 bits that a table entry covers.
    @inline(__always)
    private func readSymbol(_ entry: UInt32, _ bits: inout EntropyBits, _ place: Int, _ last: Int) -> Found {
        // Uses the entry only if it is marked by `escape`. It then contains the symbol of a single code. Any other
        // entry may contain two codes: that of a coefficient, and an end of block. After the last coefficient of the
        // band, this end of block belongs to the next block and must not be consumed. So the code of the coefficient is
        // decoded without the entry.
        let isSymbolAlone = entry >> 8 & 255 == UInt32(MultiScanTable.escape)
        guard let symbol = MultiScanTable.symbol(isSymbolAlone ? entry : 0, &bits, ac) else { return .nothing }
        bits.refill()
        let (run, size) = (symbol >> 4, symbol & 15)
        if size == 0 {
            guard run == 15 else {
                return .end(run: isSequential ? 0 : 1 << run - 1 + bits.take(run))
            }
            // A run of 16 zeros may lead beyond the end of the band, as in libjpeg. Then it ends the band.
            return .coefficient(0, reached: min(place + 16, last + 1))
        }
        let value = transform.apply(HuffmanCode.extended(bits.take(size), size: size))
        let reached = place + run + 1
        return reached <= last + 1 ? .coefficient(value, reached: reached) : .nothing
    }
}
