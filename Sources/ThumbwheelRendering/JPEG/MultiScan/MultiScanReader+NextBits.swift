extension MultiScanReader {
    /// Reads one more bit of each coefficient in a band, below the bits that earlier scans contain (T.81, G.1.2.3). For
    /// a coefficient that is already nonzero, this is a correction bit. A coefficient that is still zero may get its
    /// first nonzero value.
    ///
    /// A code tells how many zero coefficients are skipped before the coefficient that gets its first nonzero value.
    /// After the code comes one correction bit for each nonzero coefficient that is passed. Correction bits are
    /// collected, and applied at the end of the block.
    ///
    /// The earlier scans tell which coefficients of a block are still zero (the block's history). Their positions are
    /// listed before the block is read. With this list, the coefficient after a number of skipped zero coefficients is
    /// found without a search.
    ///
    /// - Parameter limit: the same as for `read(_:_:limit:)`.
    /// - Returns: the same as `read(_:_:limit:)`.
    func readNextBits(_ target: Target, _ units: Range<Int>, limit: UInt) -> Int? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * PlaceTable.listCapacity) { list in
            readNextBits(target, units, limit: limit, listing: list.baseAddress!)
        }
    }

    private func readNextBits(
        _ target: Target, _ units: Range<Int>, limit: UInt, listing list: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        var bits = bits
        var endRun = endRun
        defer {
            self.bits = bits
            self.endRun = endRun
        }
        let places = PlaceTable.shared
        let band = scan.band
        let (first, last) = (scan.spectralStart, scan.spectralEnd)
        let step = Int16(1) &<< Int16(scan.lowBit)
        let entries = target.acEntries
        let slots = target.slots
        let needed = neededUnits
        // The list of zero coefficients for a block whose coefficients in the band are all zero so far. It is made only
        // once, because it is the same for every such block.
        let whole = list + PlaceTable.listCapacity
        let wholeCount = places.list(band, end: last &+ 1, into: whole)
        for unit in units {
            let coefficients = target.coefficients + unit
            let history = target.history[unit]
            let nonzeros = history & band
            // The number of correction bits in this block: one for each coefficient of the band that was already
            // nonzero.
            let correctionCount: Int
            // The correction bits of this block, in the order of the data. The latest is the lowest bit.
            var corrections: UInt64 = 0
            if endRun > 0 {
                endRun &-= 1
                guard nonzeros != 0 else { continue }
                correctionCount = nonzeros.nonzeroBitCount
                bits.refill()
                corrections = bits.takeMany(correctionCount)
            } else {
                let isNew = nonzeros == 0
                let zeros = isNew ? whole : list
                let zeroCount = isNew ? wholeCount : places.list(~history & band, end: last &+ 1, into: list)
                correctionCount = last &+ 1 &- first &- zeroCount
                // The coefficients of this block that are zero before this scan and get a value in it, with a bit for
                // each zigzag position.
                var marks: UInt64 = 0
                // The set of those coefficients in `marks` whose new value is negative.
                var signs: UInt64 = 0
                var place = first
                // A pointer into the list of zero coefficients, to the first one that has not been passed yet.
                var zero = zeros
                while place <= last {
                    bits.refill()
                    let entry = entries[bits.index()]
                    var run = Int(entry >> 8 & 255)
                    var reached = Int(zero[run & 31])
                    if _fastPath(run < 16 && reached <= last) {
                        bits.drop(Int(entry & 255))
                        marks |= 1 &<< UInt64(truncatingIfNeeded: reached)
                        signs |= UInt64(entry >> 31) &<< UInt64(truncatingIfNeeded: reached)
                    } else {
                        // The entry was not used, for one of two reasons:
                        // - Its `run` is at least 16. It contains no coefficient, but only the symbol of a code, which
                        //   is decoded now.
                        // - Its coefficient would lie beyond the end of the band, because too few zero coefficients are
                        //   left to be skipped. The data are invalid.
                        guard run >= 16, let symbol = MultiScanTable.symbol(entry, &bits, target.ac) else { return nil }
                        run = symbol >> 4
                        reached = Int(zero[run])
                        var isEnd = reached > last
                        if symbol & 15 != 0 {
                            guard !isEnd else { return nil }
                            marks |= 1 &<< UInt64(truncatingIfNeeded: reached)
                            if bits.take(1) == 0 { signs |= 1 &<< UInt64(truncatingIfNeeded: reached) }
                        } else if run < 15 {
                            endRun = 1 << run - 1 + bits.take(run)
                            isEnd = true
                        }
                        bits.refill()
                        if isEnd {
                            let count = last &+ 1 &- place &- (zeroCount &- (zero - zeros))
                            corrections = corrections &<< UInt64(count) | bits.takeMany(count)
                            break
                        }
                    }
                    let count = reached &- place &- run
                    corrections = corrections &<< UInt64(count) | bits.takeMany(count)
                    place = reached &+ 1
                    zero += run &+ 1
                }
                target.history[unit] = history | marks
                var new = needed.contains(unit) ? marks & target.corner : 0
                while new != 0 {
                    let place = new.trailingZeroBitCount
                    let isNegative = signs &>> UInt64(place) & 1 == 1
                    coefficients[Int(slots[place &+ 1])] = isNegative ? 0 &- step : step
                    new &= new &- 1
                }
            }
            if correctionCount > 0, needed.contains(unit) {
                target.correct(
                    coefficients, nonzeros & target.upToLastKept, by: corrections &<< UInt64(64 &- correctionCount),
                    step)
            }
            if bits.address > limit { return unit &+ 1 }
        }
        return units.upperBound
    }
}

extension MultiScanReader.Target {
    /// Adds one more bit to each coefficient of a set.
    ///
    /// - Parameter corrections: the bit for each coefficient of the set, in zigzag order. The bit for the first
    ///   coefficient is the top bit.
    @inline(__always)
    fileprivate func correct(
        _ coefficients: UnsafeMutablePointer<Int16>, _ set: UInt64, by corrections: UInt64, _ step: Int16
    ) {
        var set = set
        var corrections = corrections
        while set != 0 {
            let coefficient = coefficients + Int(slots[set.trailingZeroBitCount &+ 1])
            let value = coefficient.pointee
            // If the bit is 1, adds `step` to the coefficient's magnitude. A coefficient that already contains the bit
            // `step` is not changed. Such a coefficient occurs only if scans are out of order.
            let isSet = Int16(truncatingIfNeeded: corrections &>> 63) & (value & step == 0 ? 1 : 0)
            let sign = value &>> 15
            coefficient.pointee = value &+ (((step ^ sign) &- sign) & (0 &- isSet))
            set &= set &- 1
            corrections = corrections &<< 1
        }
    }
}

extension EntropyBits {
    /// Consumes the next `count` bits, at most 63, and returns them as a number. Before the call, at least 40 bits of
    /// the register `bits` must be valid. Up to 40 bits are taken from this register. If `count` is larger, all `count`
    /// bits are loaded from memory.
    @inline(__always) fileprivate mutating func takeMany(_ count: Int) -> UInt64 {
        guard _fastPath(count <= 40) else {
            let value = Self.halves(count, at: address)
            self = EntropyBits(address: address &+ UInt(bitPattern: count))
            return value
        }
        let value = (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count)
        drop(count)
        return value
    }

    @inline(never) private static func halves(_ count: Int, at address: UInt) -> UInt64 {
        var bits = EntropyBits(address: address)
        bits.refill()
        let upper = bits.bits >> 32
        bits.drop(32)
        bits.refill()
        return upper << UInt64(count - 32) | (bits.bits >> 1) >> UInt64(63 - (count - 32))
    }
}
