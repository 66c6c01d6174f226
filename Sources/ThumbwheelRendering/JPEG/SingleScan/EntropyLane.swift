/// A lane: one chain of lookups through entropy-coded data (T.81, F.2.2). It reads minimum coded units one after the other,
/// into blocks that lie behind each other.
///
/// A chain is limited by the latency of its loads, so several lanes are stepped in turn. A lane's state consists of plain
/// values whose addresses are never taken, so that the stepping loop keeps most of it in registers.
struct EntropyLane {
    /// The memory for the addresses of the blocks that lanes are writing. Keeping these in memory leaves registers to the
    /// values that the next step waits for.
    typealias Outputs = UnsafeMutablePointer<UnsafeMutablePointer<Int16>>

    /// The reason why a lane stopped.
    enum Stop {
        /// The lane has read the wanted number of units.
        case done
        /// The lane has read a unit that ends at `limit` or behind it.
        case limit
        /// The data match no code, or a block has more than 64 coefficients.
        case invalid
    }

    // The next bits of the data, from the top, with a 1 bit as a mark behind the last. Taking bits at the top shifts zeros
    // in at the bottom, and their number tells how far the lane has come from `address`, which counts bits of the address
    // space.
    private var bits: UInt64 = 1
    private(set) var address: UInt
    // The table in which the next bits are looked up, and the state, which tells the lane's place in the unit.
    private var table: UnsafePointer<UInt32>
    private var state: UnsafeRawPointer
    /// The start of the block into which the lane is writing.
    private(set) var output: UnsafeMutablePointer<Int16>

    /// The address, in bits, at which the lane stops: at the end of the unit that reaches it.
    private(set) var limit: UInt = 0
    /// The end of the blocks of the wanted units.
    private(set) var end: UnsafeMutablePointer<Int16>
    // The address and the output below which a turn of three steps can reach neither the limit nor the end.
    private var safeAddress: UInt = 0
    private var safeOutput: UInt = 0

    private let firstState: UnsafeRawPointer
    private let firstTable: UnsafePointer<UInt32>
    private let largestBlock: Int
    // The number of coefficients that two blocks have at most, rounded up to a power of 2, as its exponent.
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
    /// - Parameter states: the states that own the tables which the mark points into.
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

    /// Whether the lane stands between two units, and not in the middle of the code of a unit's first difference.
    var isBetweenUnits: Bool { state == firstState && table == firstTable }

    /// Moves the lane to the start of a byte at which a unit begins.
    mutating func restart(at start: UnsafePointer<UInt8>) {
        address = UInt(bitPattern: start) &* 8
        state = firstState
        table = firstTable
    }

    /// Follows data that were moved by a number of bytes.
    mutating func move(by distance: Int) { address &+= UInt(bitPattern: distance &* 8) }

    /// Makes the lane write the following units elsewhere.
    mutating func write(to output: UnsafeMutablePointer<Int16>) { self.output = output }

    /// Returns a lane at the same place in the data, between two units, that reads with other states.
    func reading(by states: ScanStates) -> EntropyLane {
        var lane = EntropyLane(at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: states, output: output)
        lane.address = address
        return lane
    }

    /// Sets how far the lane runs: to the unit that reaches an address in bits, or to the end of the output.
    mutating func bound(limit: UInt, end: UnsafeMutablePointer<Int16>) {
        self.limit = limit
        self.end = end
        safeAddress = limit &- min(limit, Self.turnBitCount)
        // Two of three steps can end a block, so a turn is safe as long as two blocks are still to come.
        safeOutput = UInt(bitPattern: end - largestBlock)
    }

    /// The most bits that a turn of three steps takes: the last step may be the longest code with the longest extra bits.
    private static let turnBitCount = UInt(2 * SingleScanTable.longest + 31)

    /// Whether a turn of three steps can be made without checking the limit or the end.
    var isSafe: Bool { isSafe(output) }

    @inline(__always) private func isSafe(_ output: UnsafeMutablePointer<Int16>) -> Bool {
        address < safeAddress && UInt(bitPattern: output) < safeOutput
    }

    /// The least number of turns that can be made safely, provided that one turn is safe.
    @inline(__always) private func safeTurns(_ output: UnsafeMutablePointer<Int16>) -> Int {
        // The factor 15/1024 is a little less than the inverse of the bits that a turn takes at most.
        let byBits = (Int(bitPattern: limit &- address) &* 15) &>> 10
        let byBlocks = output.distance(to: end) &>> turnShift
        return max(1, min(byBits, byBlocks))
    }

    /// Loads enough bits for three entries. Must be followed by `settle` before the next refill.
    @inline(__always) private mutating func refill() {
        let bytes = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        bits = (UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) | 1) &<< UInt64(address & 7)
        address &= ~7
    }

    @inline(__always) private mutating func settle() { address &+= UInt(bits.trailingZeroBitCount) }

    /// Looks up one entry and takes its step. A stuck entry swallows nothing; the returned entry tells so.
    ///
    /// - Parameter output: the address of the lane's block, used in place of the lane's own `output`.
    @inline(__always)
    private mutating func step(_ output: Outputs) -> UInt32 {
        let entry = table[Int(bits &>> UInt64(64 &- SingleScanTable.bits))]
        bits = bits &<< UInt64(entry)
        arrive(
            at: state + Int(entry &>> 8 & 255) &* ScanStates.stateByteCount, value: entry &>> 16, output)
        return entry
    }

    /// Stores a coefficient and moves the lane on, as the state that was reached says.
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
    /// A code with its extra bits, found but not yet swallowed.
    private struct Found {
        /// The address of the next code, counted in bits of the address space.
        var address: UInt
        /// The number of states to advance; 0 if the data match no code.
        var advance: Int
        var value: Int
    }

    /// Finds the next code and its extra bits, however long they are.
    ///
    /// The function takes and returns values instead of the lane, so that the lane's address is never taken and it stays in
    /// registers.
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
        // An end of block carries no coefficient. From `lastPlaces` on, a run of 16 zeros ends the block as well.
        let isRun = run == 15 && place < SingleScanTable.lastPlaces
        if place > 0, size == 0, !isRun { return Found(address: next, advance: SingleScanTable.ends &+ 1, value: 0) }
        guard place &+ run < 64 else { return none }
        let value = size == 0 ? 0 : Int((bits &<< UInt64(length)) &>> UInt64(64 &- size))
        return Found(address: next, advance: run &+ 1, value: HuffmanCode.extended(value, size: size))
    }

    /// Reads the code that the lane is stuck at, if it is stuck.
    ///
    /// - Returns: false if the data match no code.
    @inline(__always) private mutating func goOn(_ codes: ScanCodes, _ output: Outputs) -> Bool {
        let distance = firstState.distance(to: state)
        let place = distance % ScanStates.blockByteCount / ScanStates.stateByteCount
        guard place >= 64 else { return true }
        // States between 64 and `stuck` are reached only by coefficients beyond the 64th.
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

    /// Reads on to the end of the unit at which the lane must stop.
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
    /// Reads on while a turn of three steps is safe.
    ///
    /// - Returns: false if the data match no code.
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

    /// Steps two lanes in turn, while a turn of three steps is safe for both.
    ///
    /// - Returns: the number of the lane whose data match no code; nil if there is none.
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
                // A stuck lane stays where it is, so one check behind the last step is enough.
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

    /// Steps three lanes in turn, while a turn of three steps is safe for all of them.
    ///
    /// - Returns: the number of the lane whose data match no code; nil if there is none.
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
                // A stuck lane stays where it is, so one check behind the last step is enough.
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
