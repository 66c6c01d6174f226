/// One chain of lookups through entropy-coded data (T.81, F.2.2): reads minimum coded units, one after the other, into
/// blocks that lie behind each other.
///
/// A chain is bound by the latency of its loads, so several are stepped in turn. All of a lane's state is in plain values
/// and nothing takes its address, so that such a loop keeps most of it in registers.
struct EntropyLane {
    /// The blocks that lanes are at, in memory: that leaves registers to what the next step waits for.
    typealias Outputs = UnsafeMutablePointer<UnsafeMutablePointer<Int16>>

    /// Why a lane stopped.
    enum Stop {
        /// The wanted number of units is done.
        case done
        /// A unit's end is at `limit` or behind it.
        case limit
        /// There is no such code, or a block has more than 64 coefficients.
        case invalid
    }

    // The next bits of the data, from the top, with a mark behind the last: when bits leave at the top, zeros come in at the
    // bottom, and how many is how far the lane has come from `address`. That is in bits of the address space.
    private var bits: UInt64 = 1
    private(set) var address: UInt
    // What the next bits are looked up in, and where in the unit they stand.
    private var table: UnsafePointer<UInt32>
    private var state: UnsafeRawPointer
    /// The block that is being read.
    private(set) var output: UnsafeMutablePointer<Int16>

    /// A bit address: the lane stops at the end of the unit that reaches it.
    private(set) var limit: UInt = 0
    /// Where the blocks of the wanted units end.
    private(set) var end: UnsafeMutablePointer<Int16>
    // Up to there, a turn of three steps leads neither to the limit nor to the end.
    private var safeAddress: UInt = 0
    private var safeOutput: UInt = 0

    private let firstState: UnsafeRawPointer
    private let firstTable: UnsafePointer<UInt32>
    private let largestBlock: Int
    // The samples of two blocks at most, as a power of 2.
    private let turnShift: Int

    init(at start: UnsafePointer<UInt8>, states: ScanStates, output: UnsafeMutablePointer<Int16>) {
        address = UInt(bitPattern: start) &* 8
        firstState = states.first
        firstTable = states.firstTable
        largestBlock = states.largestBlock
        turnShift = Int.bitWidth - (2 * largestBlock - 1).leadingZeroBitCount
        state = firstState
        table = firstTable
        self.output = output
        end = output
    }

    /// Continues from another lane's position.
    ///
    /// - Parameter states: the tables that the mark points into.
    init(_ mark: EntropyTrail.Mark, states: ScanStates, output: UnsafeMutablePointer<Int16>) {
        self.init(at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: states, output: output)
        address = mark.address
        table = mark.table
        state = mark.state
    }

    /// The lane's current position.
    ///
    /// - Parameter start: the start of the lane's run.
    func mark(from start: UnsafeMutablePointer<Int16>) -> EntropyTrail.Mark {
        EntropyTrail.Mark(address: address, table: table, state: state, offset: start.distance(to: output))
    }

    @inline(__always)
    private func note(_ lane: Int, _ outputs: Outputs, _ marks: EntropyMarks?) {
        marks?.note(lane, address, table, state, outputs[lane])
    }

    /// Whether it is between two units; not in the middle of the first difference's code.
    var isBetweenUnits: Bool { state == firstState && table == firstTable }

    /// Goes to the start of a byte, and of a unit.
    mutating func restart(at start: UnsafePointer<UInt8>) {
        address = UInt(bitPattern: start) &* 8
        state = firstState
        table = firstTable
    }

    /// Keeps its place in data that were moved.
    mutating func move(by distance: Int) { address &+= UInt(bitPattern: distance &* 8) }

    /// Has it write the following units elsewhere.
    mutating func write(to output: UnsafeMutablePointer<Int16>) { self.output = output }

    /// The same place in the data, between two units, with other states.
    func reading(by states: ScanStates) -> EntropyLane {
        var lane = EntropyLane(at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: states, output: output)
        lane.address = address
        return lane
    }

    /// Sets how far it is to run.
    mutating func bound(limit: UInt, end: UnsafeMutablePointer<Int16>) {
        self.limit = limit
        self.end = end
        safeAddress = limit &- min(limit, Self.turnBitCount)
        // Of three steps two can end a block, so all are safe as long as two blocks are still to come.
        safeOutput = UInt(bitPattern: end - largestBlock)
    }

    /// Bits of a turn of three steps at most: the last may be the longest code with the longest extra bits.
    private static let turnBitCount = UInt(2 * SingleScanTable.longest + 31)

    /// Whether a turn can be made without looking at anything else.
    var isSafe: Bool { isSafe(output) }

    @inline(__always) private func isSafe(_ output: UnsafeMutablePointer<Int16>) -> Bool {
        address < safeAddress && UInt(bitPattern: output) < safeOutput
    }

    /// How many turns can be made at least, where it is safe.
    @inline(__always) private func safeTurns(_ output: UnsafeMutablePointer<Int16>) -> Int {
        // 15/1024 is a little less than a turn's share of a bit.
        let byBits = (Int(bitPattern: limit &- address) &* 15) &>> 10
        let byBlocks = output.distance(to: end) &>> turnShift
        return max(1, min(byBits, byBlocks))
    }

    /// Three entries' worth of bits count afterwards. Must be followed by `settle`.
    @inline(__always) private mutating func refill() {
        let bytes = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        bits = (UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) | 1) &<< UInt64(address & 7)
        address &= ~7
    }

    @inline(__always) private mutating func settle() { address &+= UInt(bits.trailingZeroBitCount) }

    /// Reads one entry's worth; nothing where it is stuck, which the entry tells.
    ///
    /// - Parameter output: stands for the lane's own.
    @inline(__always)
    private mutating func step(_ output: Outputs) -> UInt32 {
        let entry = table[Int(bits &>> UInt64(64 &- SingleScanTable.bits))]
        bits = bits &<< UInt64(entry)
        arrive(
            at: state + Int(entry &>> 8 & 255) &* ScanStates.stateByteCount, value: entry &>> 16, output)
        return entry
    }

    /// Stores a coefficient and goes where the state that has been met leads.
    @inline(__always)
    private mutating func arrive(
        at reached: UnsafeRawPointer, value: UInt32, _ output: Outputs
    ) {
        table = reached.load(as: UnsafePointer<UInt32>.self)
        state = (reached + ScanStates.nextOffset).load(as: UnsafeRawPointer.self)
        let move = (reached + ScanStates.moveOffset).assumingMemoryBound(to: ScanStates.Move.self)
        let block = output.pointee
        block[Int(move.pointee.slot)] = Int16(truncatingIfNeeded: value)
        output.pointee = (UnsafeMutableRawPointer(block) + Int(move.pointee.step)).assumingMemoryBound(to: Int16.self)
    }
}

// MARK: - Code by code

extension EntropyLane {
    /// A code with its extra bits, found without being swallowed.
    private struct Found {
        /// Where the next one begins, in bits of the address space.
        var address: UInt
        /// States to go on; 0 where there is no such code.
        var advance: Int
        var value: Int
    }

    /// Looks for the next code and its extra bits, whatever their length.
    ///
    /// It takes and gives values, not the lane: that never has an address, and stays in registers.
    @inline(never) private static func find(
        at address: UInt, block: Int, place: Int, _ codes: ScanCodes
    ) -> Found {
        let none = Found(address: address, advance: 0, value: 0)
        let bytes = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        let bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) &<< UInt64(address & 7)
        guard let (symbol, length) = codes.symbol(at: Int(bits &>> 48), block: block, isDC: place == 0) else {
            return none
        }
        let size = place == 0 ? symbol : symbol & 15
        let run = place == 0 ? 0 : symbol &>> 4
        guard size <= 15 else { return none }
        let next = address &+ UInt(length &+ size)
        // The end of the block carries no coefficient. From the last places on, a run of 16 zeros ends the block as
        // well.
        let isRun = run == 15 && place < SingleScanTable.lastPlaces
        if place > 0, size == 0, !isRun { return Found(address: next, advance: SingleScanTable.ends &+ 1, value: 0) }
        guard place &+ run < 64 else { return none }
        let value = size == 0 ? 0 : Int((bits &<< UInt64(length)) &>> UInt64(64 &- size))
        return Found(address: next, advance: run &+ 1, value: HuffmanCode.extended(value, size: size))
    }

    /// Reads the code that it is stuck at, if it is.
    ///
    /// - Returns: false where there is no such code.
    @inline(__always) private mutating func goOn(_ codes: ScanCodes, _ output: Outputs) -> Bool {
        let distance = firstState.distance(to: state)
        let place = distance % ScanStates.blockByteCount / ScanStates.stateByteCount
        guard place >= 64 else { return true }
        // Anything else was reached by coefficients beyond the 64th.
        guard place >= SingleScanTable.stuck else { return false }
        let found = Self.find(
            at: address, block: distance / ScanStates.blockByteCount, place: place - SingleScanTable.stuck, codes)
        guard found.advance > 0 else { return false }
        address = found.address
        arrive(
            at: state + (found.advance - SingleScanTable.stuck) &* ScanStates.stateByteCount,
            value: UInt32(truncatingIfNeeded: found.value), output)
        return true
    }

    /// Goes on to the end of the unit at which it must stop.
    mutating func finish(_ codes: ScanCodes) -> Stop {
        var lane = self
        defer { self = lane }
        while true {
            if lane.isBetweenUnits {
                if lane.output >= lane.end { return .done }
                if lane.address >= lane.limit { return .limit }
            }
            lane.refill()
            var place = lane.output
            let entry = lane.step(&place)
            lane.settle()
            let isValid = entry & SingleScanTable.isStuck == 0 || lane.goOn(codes, &place)
            lane.output = place
            if !isValid { return .invalid }
        }
    }
}

// MARK: - Lanes in turn

extension EntropyLane {
    /// Reads on while it is safe.
    ///
    /// - Returns: false where there is no such code.
    mutating func run(_ codes: ScanCodes) -> Bool {
        var one = self
        let outputs = codes.outputs
        outputs[0] = output
        defer {
            self = one
            output = outputs[0]
        }
        let turnLimit = codes.turnLimit
        while one.isSafe(outputs[0]) {
            one.note(0, outputs, codes.marks)
            for _ in 0..<min(turnLimit, one.safeTurns(outputs[0])) {
                one.refill()
                _ = one.step(outputs)
                _ = one.step(outputs)
                let entry = one.step(outputs)
                one.settle()
                if entry & SingleScanTable.isStuck != 0, !one.goOn(codes, outputs) { return false }
            }
        }
        return true
    }

    /// Reads on while it is safe for both lanes.
    ///
    /// - Returns: the number of a lane where there is no such code.
    static func run(_ first: inout EntropyLane, _ second: inout EntropyLane, _ codes: ScanCodes) -> Int? {
        var one = first
        var two = second
        let outputs = codes.outputs
        outputs[0] = first.output
        outputs[1] = second.output
        defer {
            first = one
            second = two
            first.output = outputs[0]
            second.output = outputs[1]
        }
        let turnLimit = codes.turnLimit
        while one.isSafe(outputs[0]), two.isSafe(outputs[1]) {
            one.note(0, outputs, codes.marks)
            two.note(1, outputs, codes.marks)
            for _ in 0..<min(turnLimit, one.safeTurns(outputs[0]), two.safeTurns(outputs[1])) {
                one.refill()
                two.refill()
                _ = one.step(outputs)
                _ = two.step(outputs + 1)
                _ = one.step(outputs)
                _ = two.step(outputs + 1)
                // Where one is stuck it stays.
                let entries = one.step(outputs) | two.step(outputs + 1)
                one.settle()
                two.settle()
                if entries & SingleScanTable.isStuck == 0 { continue }
                if !one.goOn(codes, outputs) { return 0 }
                if !two.goOn(codes, outputs + 1) { return 1 }
            }
        }
        return nil
    }

    /// Reads on while it is safe for all three lanes.
    ///
    /// - Returns: the number of a lane where there is no such code.
    static func run(
        _ first: inout EntropyLane, _ second: inout EntropyLane, _ third: inout EntropyLane, _ codes: ScanCodes
    ) -> Int? {
        var one = first
        var two = second
        var three = third
        let outputs = codes.outputs
        outputs[0] = first.output
        outputs[1] = second.output
        outputs[2] = third.output
        defer {
            first = one
            second = two
            third = three
            first.output = outputs[0]
            second.output = outputs[1]
            third.output = outputs[2]
        }
        let turnLimit = codes.turnLimit
        while one.isSafe(outputs[0]), two.isSafe(outputs[1]), three.isSafe(outputs[2]) {
            one.note(0, outputs, codes.marks)
            two.note(1, outputs, codes.marks)
            three.note(2, outputs, codes.marks)
            let turns = min(one.safeTurns(outputs[0]), two.safeTurns(outputs[1]), three.safeTurns(outputs[2]))
            for _ in 0..<min(turnLimit, turns) {
                one.refill()
                two.refill()
                three.refill()
                _ = one.step(outputs)
                _ = two.step(outputs + 1)
                _ = three.step(outputs + 2)
                _ = one.step(outputs)
                _ = two.step(outputs + 1)
                _ = three.step(outputs + 2)
                // Where one is stuck it stays.
                let entries = one.step(outputs) | two.step(outputs + 1) | three.step(outputs + 2)
                one.settle()
                two.settle()
                three.settle()
                if entries & SingleScanTable.isStuck == 0 { continue }
                if !one.goOn(codes, outputs) { return 0 }
                if !two.goOn(codes, outputs + 1) { return 1 }
                if !three.goOn(codes, outputs + 2) { return 2 }
            }
        }
        return nil
    }
}
