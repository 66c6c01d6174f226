/// One chain of lookups through entropy-coded data (T.81, F.2.2): reads minimum coded units, one after the other.
///
/// All of its state is in plain values, so that a loop over one or two lanes keeps it in registers.
struct EntropyLane {
    /// Why a lane stopped.
    enum Stop {
        /// The wanted number of units is done.
        case done
        /// The data came to `limit`.
        case limit
        /// There is no such code, or a block has more than 64 coefficients.
        case invalid
    }

    // The next bits of the data, from the top; how many of them count; and what follows them.
    private(set) var bits: UInt64 = 0
    private(set) var bitCount = 0
    private(set) var next: UnsafePointer<UInt8>

    // The block being read, how many of its coefficients have been, and the table for what follows.
    private var cursor: UnsafeMutablePointer<BlockCursor>
    private var place = 0
    private var table: UnsafePointer<UInt32>

    private let firstCursor: UnsafeMutablePointer<BlockCursor>
    private let lastCursor: UnsafeMutablePointer<BlockCursor>

    /// Units read, and how many are wanted.
    private(set) var unitCount = 0
    var wantedCount = 0
    /// Units end here at the latest: the lane stops when it has read so far.
    var limit: UnsafePointer<UInt8>

    /// - Parameter cursors: the blocks of a unit, in order; they are stepped on as units are read.
    init(at start: UnsafePointer<UInt8>, cursors: UnsafeMutableBufferPointer<BlockCursor>) {
        next = start
        limit = start
        firstCursor = cursors.baseAddress!
        lastCursor = firstCursor + (cursors.count - 1)
        cursor = firstCursor
        table = firstCursor.pointee.dc
    }

    /// Bits from `base` to the next one that has not been read.
    func position(from base: UnsafePointer<UInt8>) -> Int { (next - base) * 8 - bitCount }

    /// Goes to the start of a byte, and of a unit.
    mutating func restart(at start: UnsafePointer<UInt8>) {
        next = start
        bits = 0
        bitCount = 0
        unitCount = 0
        place = 0
        cursor = firstCursor
        table = firstCursor.pointee.dc
    }

    /// Keeps its place in data that were moved.
    mutating func move(by distance: Int) {
        next += distance
        limit += distance
    }

    mutating func beginCount() { unitCount = 0 }

    /// At least 57 bits count afterwards.
    @inline(__always) mutating func refill() {
        bits |=
            UInt64(bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
            &>> UInt64(truncatingIfNeeded: bitCount)
        let taken = (63 &- bitCount) &>> 3
        next += taken
        bitCount &+= taken &<< 3
    }

    @inline(__always) private mutating func drop(_ entry: UInt32) {
        bits = bits &<< UInt64(entry)
        bitCount &-= Int(entry & 255)
    }

    /// Reads one entry's worth; at least 12 bits must count.
    ///
    /// - Returns: nil to go on.
    @inline(__always) mutating func step(_ codes: UnsafePointer<HuffmanCode>) -> Stop? {
        let entry = table[Int(bits &>> 52)]
        let reached = place &+ Int(entry &>> 8 & 255)
        let block = cursor
        if reached < 64 {
            block.pointee.output[Int(block.pointee.slots[reached])] = Int16(truncatingIfNeeded: entry &>> 16)
            drop(entry)
            place = reached
            table = block.pointee.ac + ((block.pointee.lastKept &- reached) &>> 63 & 1 &<< HuffmanTable.bits)
            return nil
        }
        if reached < HuffmanTable.escape, (reached == 64) != (reached >= HuffmanTable.ends) {
            block.pointee.output[Int(block.pointee.slots[reached & 127])] = Int16(truncatingIfNeeded: entry &>> 16)
            drop(entry)
            return endBlock()
        }
        let code = CodeByCode(
            bits: bits, bitCount: bitCount, next: next, place: place, entry: entry, block: block, codes: codes)
        bits = code.bits
        bitCount = code.bitCount
        next = code.next
        if code.place == 64 { return endBlock() }
        if code.place > 64 { return .invalid }
        place = code.place
        table = block.pointee.ac + (place > block.pointee.lastKept ? 1 &<< HuffmanTable.bits : 0)
        return nil
    }

    @inline(__always) private mutating func endBlock() -> Stop? {
        cursor.pointee.output += cursor.pointee.step
        place = 0
        if cursor != lastCursor {
            cursor += 1
            table = cursor.pointee.dc
            return nil
        }
        cursor = firstCursor
        table = cursor.pointee.dc
        unitCount &+= 1
        if unitCount == wantedCount { return .done }
        return next >= limit ? .limit : nil
    }

    /// Reads units until something stops it.
    mutating func run(_ codes: UnsafePointer<HuffmanCode>) -> Stop {
        var lane = self
        defer { self = lane }
        while true {
            lane.refill()
            let block = lane.cursor
            let lastKept = block.pointee.lastKept
            let slots = block.pointee.slots
            let output = block.pointee.output
            switch lane.read(block.pointee.dc, block, slots, output, codes) {
            case .goes: break
            case .ends: if let stop = lane.endBlock() { return stop } else { continue }
            case .fails: return .invalid
            }
            var ended = false
            let ac = block.pointee.ac
            kept: while lane.place <= lastKept {
                for _ in 0..<2 {
                    switch lane.read(ac, block, slots, output, codes) {
                    case .goes: break
                    case .ends:
                        ended = true
                        break kept
                    case .fails: return .invalid
                    }
                }
                lane.refill()
            }
            let runs = block.pointee.runs
            skipped: while !ended {
                lane.refill()
                for _ in 0..<4 {
                    switch lane.pass(runs, block, codes) {
                    case .goes: break
                    case .ends: break skipped
                    case .fails: return .invalid
                    }
                }
            }
            if let stop = lane.endBlock() { return stop }
        }
    }

    private enum Progress {
        case goes, ends, fails
    }

    @inline(__always) private mutating func read(
        _ table: UnsafePointer<UInt32>, _ block: UnsafeMutablePointer<BlockCursor>, _ slots: UnsafePointer<Int32>,
        _ output: UnsafeMutablePointer<Int16>, _ codes: UnsafePointer<HuffmanCode>
    ) -> Progress {
        let entry = table[Int(bits &>> 52)]
        let reached = place &+ Int(entry &>> 8 & 255)
        if reached < 64 {
            output[Int(slots[reached])] = Int16(truncatingIfNeeded: entry &>> 16)
            drop(entry)
            place = reached
            return .goes
        }
        if reached < HuffmanTable.escape, (reached == 64) != (reached >= HuffmanTable.ends) {
            output[Int(slots[reached & 127])] = Int16(truncatingIfNeeded: entry &>> 16)
            drop(entry)
            return .ends
        }
        return readCode(entry, block, codes)
    }

    @inline(__always) private mutating func pass(
        _ table: UnsafePointer<UInt32>, _ block: UnsafeMutablePointer<BlockCursor>, _ codes: UnsafePointer<HuffmanCode>
    ) -> Progress {
        let entry = table[Int(bits &>> 52)]
        let reached = place &+ Int(entry &>> 8 & 255)
        if reached < 64 {
            drop(entry)
            place = reached
            return .goes
        }
        if reached < HuffmanTable.escape, (reached == 64) != (reached >= HuffmanTable.ends) {
            drop(entry)
            return .ends
        }
        return readCode(entry, block, codes)
    }

    @inline(__always) private mutating func readCode(
        _ entry: UInt32, _ block: UnsafeMutablePointer<BlockCursor>, _ codes: UnsafePointer<HuffmanCode>
    ) -> Progress {
        let code = CodeByCode(
            bits: bits, bitCount: bitCount, next: next, place: place, entry: entry, block: block, codes: codes)
        bits = code.bits
        bitCount = code.bitCount
        next = code.next
        place = code.place
        return place < 64 ? .goes : place == 64 ? .ends : .fails
    }
}

/// Reads one code and its extra bits, whatever their length, and refills before and after.
///
/// It takes and gives values, not the lane: that never has an address, and stays in registers.
private struct CodeByCode {
    var bits: UInt64
    var bitCount: Int
    var next: UnsafePointer<UInt8>
    /// Where the block goes on; 64 at its end, more where there is no such code or no such place.
    var place: Int

    /// - Parameter entry: of the lookup table, which may have the code already.
    @inline(never) init(
        bits: UInt64, bitCount: Int, next: UnsafePointer<UInt8>, place: Int, entry: UInt32,
        block: UnsafePointer<BlockCursor>, codes: UnsafePointer<HuffmanCode>
    ) {
        self.bits = bits
        self.bitCount = bitCount
        self.next = next
        self.place = 65
        refill()
        let isDC = place == 0
        var symbol = Int(entry &>> 16)
        var length = Int(entry & 255)
        if entry &>> 8 & 255 != HuffmanTable.escape || length == 0 {
            let code = isDC ? block.pointee.dcCode : block.pointee.acCode
            guard let found = codes[code].symbol(at: Int(self.bits &>> 48)) else { return }
            (symbol, length) = found
        }
        let size = isDC ? symbol : symbol & 15
        guard size <= 15 else { return }
        var value = 0
        if size > 0 {
            value = Int((self.bits &<< UInt64(length)) &>> UInt64(64 &- size))
            // Those whose first bit is 0 are negative, less one (T.81, F.2.2.1).
            if value &>> (size &- 1) == 0 { value &-= 1 &<< size &- 1 }
        }
        self.bits = self.bits &<< UInt64(length &+ size)
        self.bitCount &-= length &+ size
        refill()
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

    private mutating func refill() {
        bits |= UInt64(bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)) &>> UInt64(bitCount)
        let taken = (63 &- bitCount) &>> 3
        next += taken
        bitCount &+= taken &<< 3
    }
}
