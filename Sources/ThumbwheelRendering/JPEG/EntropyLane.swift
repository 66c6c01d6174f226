/// One chain of lookups through entropy-coded data (T.81, F.2.2): reads minimum coded units, one after the other.
///
/// All of its state is in plain values and nothing takes its address, so that a loop over one or two lanes keeps it in
/// registers.
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

    // The next bits of the data, from the top, and the place of the first of them in bits of the address space: two values
    // for all of the reader's state, so that two lanes fit the registers.
    private var bits: UInt64 = 0
    private(set) var bitAddress: UInt

    // The block being read, how many of its coefficients have been, and the table for what follows.
    private var cursor: UnsafeMutablePointer<BlockCursor>
    private var place = 0
    private var table: UnsafePointer<UInt32>

    private let firstCursor: UnsafeMutablePointer<BlockCursor>
    private let lastCursor: UnsafeMutablePointer<BlockCursor>

    /// Units read since `rewind`, and how many are wanted.
    private(set) var unitCount = 0
    var wantedCount = 0
    /// A bit address: the lane stops at the end of the unit that reaches it.
    var limit: UInt
    // Where units began, for the first `traceCount` of them.
    private let trace: UnsafeMutablePointer<UInt>
    var traceCount = 0

    /// - Parameters:
    ///   - cursors: the blocks of a unit, in order; they are stepped on as units are read.
    ///   - trace: room for `traceCount` places.
    init(
        at start: UnsafePointer<UInt8>, cursors: UnsafeMutableBufferPointer<BlockCursor>,
        trace: UnsafeMutablePointer<UInt>
    ) {
        bitAddress = UInt(bitPattern: start) &* 8
        limit = 0
        self.trace = trace
        firstCursor = cursors.baseAddress!
        lastCursor = firstCursor + (cursors.count - 1)
        cursor = firstCursor
        table = firstCursor.pointee.dc
    }

    /// Whether it is between two units.
    var isBetweenUnits: Bool { cursor == firstCursor && place == 0 }

    /// Goes to the start of a byte, and of a unit.
    mutating func restart(at start: UnsafePointer<UInt8>) {
        bitAddress = UInt(bitPattern: start) &* 8
        place = 0
        cursor = firstCursor
        table = firstCursor.pointee.dc
    }

    /// Keeps its place in data that were moved.
    mutating func move(by distance: Int) { bitAddress &+= UInt(bitPattern: distance &* 8) }

    /// Counts units from 0 again.
    mutating func rewind() { unitCount = 0 }

    /// At least 57 bits count afterwards: three entries' worth.
    @inline(__always) private mutating func refill() {
        let bytes = UnsafeRawPointer(bitPattern: bitAddress &>> 3).unsafelyUnwrapped
        bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) &<< UInt64(bitAddress & 7)
    }

    @inline(__always) private mutating func drop(_ entry: UInt32) {
        bits = bits &<< UInt64(entry)
        bitAddress &+= UInt(entry & 255)
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
        if unitCount < traceCount { trace[unitCount] = bitAddress }
        if unitCount == wantedCount { return .done }
        return bitAddress >= limit ? .limit : nil
    }
}

// MARK: - One lane

extension EntropyLane {
    private enum Progress {
        case goes, ends, fails
    }

    /// Reads units until something stops it.
    mutating func run(_ codes: UnsafePointer<HuffmanCode>) -> Stop {
        var lane = self
        defer { self = lane }
        // A block that it had begun with another lane beside it.
        while lane.place != 0 {
            lane.refill()
            if let stop = lane.step(codes) { return stop }
        }
        while true {
            lane.refill()
            let block = lane.cursor
            let lastKept = block.pointee.lastKept
            switch lane.read(block.pointee.dc, block, codes) {
            case .goes: break
            case .ends: if let stop = lane.endBlock() { return stop } else { continue }
            case .fails: return .invalid
            }
            var hasEnded = false
            let ac = block.pointee.ac
            kept: while lane.place <= lastKept {
                lane.refill()
                for _ in 0..<3 {
                    switch lane.read(ac, block, codes) {
                    case .goes: break
                    case .ends:
                        hasEnded = true
                        break kept
                    case .fails: return .invalid
                    }
                }
            }
            let runs = block.pointee.runs
            passed: while !hasEnded {
                lane.refill()
                for _ in 0..<3 {
                    switch lane.pass(runs, block, codes) {
                    case .goes: break
                    case .ends: break passed
                    case .fails: return .invalid
                    }
                }
            }
            if let stop = lane.endBlock() { return stop }
        }
    }

    /// Whether a place, with an entry's way added, is an end of the block that the entry may swallow.
    @inline(__always) private static func isEnd(_ reached: Int) -> Bool {
        reached < HuffmanTable.escape && (reached == 64) != (reached >= HuffmanTable.ends)
    }

    /// Reads one entry's worth and stores its coefficient; at least 19 bits must count.
    @inline(__always) private mutating func read(
        _ table: UnsafePointer<UInt32>, _ block: UnsafeMutablePointer<BlockCursor>, _ codes: UnsafePointer<HuffmanCode>
    ) -> Progress {
        let entry = table[Int(bits &>> 52)]
        let reached = place &+ Int(entry &>> 8 & 255)
        if reached < 64 {
            block.pointee.output[Int(block.pointee.slots[reached])] = Int16(truncatingIfNeeded: entry &>> 16)
            drop(entry)
            place = reached
            return .goes
        }
        if Self.isEnd(reached) {
            block.pointee.output[Int(block.pointee.slots[reached & 127])] = Int16(truncatingIfNeeded: entry &>> 16)
            drop(entry)
            return .ends
        }
        guard reached == place &+ HuffmanTable.escape, entry & 255 != 0 else { return readCode(block, codes) }
        drop(entry)
        return readExtraBits(of: entry &>> 16, block)
    }

    /// Reads a coefficient whose code has been read.
    @inline(__always) private mutating func readExtraBits(
        of symbol: UInt32, _ block: UnsafeMutablePointer<BlockCursor>
    ) -> Progress {
        // There are extra bits, or the entry would have been another.
        // The code may have come last before a refill. There are extra bits, or the entry would have been another.
        refill()
        let size = symbol & 15
        let value = Int((bits &>> 1) &>> UInt64(63 &- size))
        bitAddress &+= UInt(size)
        refill()
        place &+= Int(symbol &>> 4) &+ 1
        if place > 64 { return .fails }
        // Those whose first bit is 0 are negative, less one (T.81, F.2.2.1).
        let isNegative = value &>> Int(size &- 1) &- 1
        let coefficient = value &- (isNegative & (1 &<< Int(size) &- 1))
        block.pointee.output[Int(block.pointee.slots[place])] = Int16(truncatingIfNeeded: coefficient)
        return place < 64 ? .goes : .ends
    }

    /// Reads one entry's worth that nobody wants.
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
        if Self.isEnd(reached) {
            drop(entry)
            return .ends
        }
        return readCode(block, codes)
    }

    @inline(__always) private mutating func readCode(
        _ block: UnsafeMutablePointer<BlockCursor>, _ codes: UnsafePointer<HuffmanCode>
    ) -> Progress {
        let code = CodeByCode(at: bitAddress, place: place, block: block, codes: codes)
        bitAddress = code.bitAddress
        refill()
        place = code.place
        return place < 64 ? .goes : place == 64 ? .ends : .fails
    }
}

// MARK: - Two lanes

extension EntropyLane {
    /// Steps two lanes in turn until one of them stops: each waits for its own lookups only, so that both together take
    /// little longer than one.
    ///
    /// - Returns: why it stopped, and whether it was the second.
    static func run(
        _ first: inout EntropyLane, _ second: inout EntropyLane, _ codes: UnsafePointer<HuffmanCode>
    ) -> (stop: Stop, isSecond: Bool) {
        var one = first
        var two = second
        defer {
            first = one
            second = two
        }
        while true {
            one.refill()
            two.refill()
            if let stop = one.step(codes) { return (stop, false) }
            if let stop = two.step(codes) { return (stop, true) }
            if let stop = one.step(codes) { return (stop, false) }
            if let stop = two.step(codes) { return (stop, true) }
            if let stop = one.step(codes) { return (stop, false) }
            if let stop = two.step(codes) { return (stop, true) }
        }
    }

    /// Reads one entry's worth, whatever the block is at; at least 19 bits must count.
    ///
    /// - Returns: nil to go on.
    @inline(__always) private mutating func step(_ codes: UnsafePointer<HuffmanCode>) -> Stop? {
        let block = cursor
        switch read(table, block, codes) {
        case .goes:
            // A branch, which can be foreseen, and not a choice, which the next lookup would wait for.
            if _fastPath(place > block.pointee.lastKept) {
                table = block.pointee.runs
            } else {
                table = block.pointee.ac
            }
            return nil
        case .ends: return endBlock()
        case .fails: return .invalid
        }
    }
}
