/// A lane: one of several readers that decode different parts of a scan's entropy-coded data in turn (T.81, F.2.2). It
/// reads minimum coded units one after the other, and writes their blocks behind each other.
///
/// Each of a lane's table lookups needs the result of the lookup before. While one lane waits for a lookup, the
/// processor goes on with another. A lane's state consists of plain values whose addresses are never taken, so that the
/// stepping loop keeps most of it in registers.
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

    // The next bits of the data, from the top down; the lowest bit of a refill is a 1 as a mark. Each step shifts the
    // bits that it consumes out at the top, and zeros in at the bottom. The number of these zeros tells how far the
    // lane has come from `address`. That is an address in bytes times eight, plus the bit within the byte.
    private var bits: UInt64 = 1
    private(set) var address: UInt
    // The table in which the next bits are looked up, and the lane's state. The state, a pointer into `ScanStates`,
    // tells the lane's place in the unit.
    private var table: UnsafePointer<UInt32>
    private var state: UnsafeRawPointer
    /// The start of the block into which the lane is writing.
    private(set) var output: UnsafeMutablePointer<Int16>

    /// The position at which the lane stops, counted in bits like `address`. The lane reads the unit that reaches this
    /// position to its end.
    private(set) var limit: UInt = 0
    /// The end of the memory for the wanted units, at which the lane stops as well.
    private(set) var end: UnsafeMutablePointer<Int16>
    // As long as `address` and `output` are below these, a turn of three steps can reach neither `limit` nor `end`.
    private var safeAddress: UInt = 0
    private var safeOutput: UInt = 0

    private let firstState: UnsafeRawPointer
    private let firstTable: UnsafePointer<UInt32>
    private let largestBlock: Int
    // A turn completes at most two blocks. Shifting a number of coefficients right by this divides it by a power of 2
    // that is not smaller than two blocks.
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

    /// Makes a lane that continues from the recorded position of another lane.
    ///
    /// - Parameter states: the states that own the tables which the mark points into.
    init(_ mark: EntropyTrail.Mark, states: ScanStates, output: UnsafeMutablePointer<Int16>) {
        self.init(at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: states, output: output)
        address = mark.address
        table = mark.table
        state = mark.state
    }

    /// The lane's current position, from which another lane can continue.
    ///
    /// - Parameter start: the address of the first coefficient of the lane's run.
    func mark(from start: UnsafeMutablePointer<Int16>) -> EntropyTrail.Mark {
        EntropyTrail.Mark(address: address, table: table, state: state, offset: start.distance(to: output))
    }

    @inline(__always)
    private func note(_ lane: Int, _ outputs: Outputs, _ marks: EntropyMarks?) {
        marks?.note(lane, address, table, state, outputs[lane])
    }

    /// Whether the lane stands between two units. If it stands within the code of a unit's first DC difference, `state`
    /// equals `firstState` too, but `table` is another than `firstTable`.
    var isBetweenUnits: Bool { state == firstState && table == firstTable }

    /// Moves the lane to the start of a byte at which a unit begins.
    mutating func restart(at start: UnsafePointer<UInt8>) {
        address = UInt(bitPattern: start) &* 8
        state = firstState
        table = firstTable
    }

    /// Adjusts the lane's address to data that were moved by a number of bytes.
    mutating func move(by distance: Int) { address &+= UInt(bitPattern: distance &* 8) }

    /// Makes the lane write the following units elsewhere.
    mutating func write(to output: UnsafeMutablePointer<Int16>) { self.output = output }

    /// Returns a lane at the same position in the data that reads with other states. This lane must stand between two
    /// units.
    func reading(by states: ScanStates) -> EntropyLane {
        var lane = EntropyLane(at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: states, output: output)
        lane.address = address
        return lane
    }

    /// Sets where the lane stops: behind the unit that reaches the position `limit`, or at `end` in its output,
    /// whichever comes first.
    mutating func bound(limit: UInt, end: UnsafeMutablePointer<Int16>) {
        self.limit = limit
        self.end = end
        safeAddress = limit &- min(limit, Self.turnBitCount)
        // Two of three steps can end a block. So a turn is safe while at least two blocks are still to be written:
        // `output` then lies before the last block.
        safeOutput = UInt(bitPattern: end - largestBlock)
    }

    /// The most bits that a turn of three steps takes. Two steps take up to `longest` bits each. The third may need the
    /// longest code, of 16 bits, with 15 extra bits.
    private static let turnBitCount = UInt(2 * SingleScanTable.longest + 31)

    /// Whether a turn of three steps can be made without checking the limit or the end.
    var isSafe: Bool { isSafe(output) }

    @inline(__always) private func isSafe(_ output: UnsafeMutablePointer<Int16>) -> Bool {
        address < safeAddress && UInt(bitPattern: output) < safeOutput
    }

    /// A number of turns that can all be made without checking the limit or the end, provided that this holds for the
    /// first.
    @inline(__always) private func safeTurns(_ output: UnsafeMutablePointer<Int16>) -> Int {
        // 15/1024 is a little less than 1/67. A turn takes 67 bits at most (`turnBitCount`).
        let byBits = (Int(bitPattern: limit &- address) &* 15) &>> 10
        let byBlocks = output.distance(to: end) &>> turnShift
        return max(1, min(byBits, byBlocks))
    }

    /// Loads enough bits for three entries. After the steps, `settle` must be called before the next refill.
    @inline(__always) private mutating func refill() {
        let bytes = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        bits = (UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) | 1) &<< UInt64(address & 7)
        address &= ~7
    }

    @inline(__always) private mutating func settle() { address &+= UInt(bits.trailingZeroBitCount) }

    /// Looks up one entry, consumes its bits and moves to the state that it leads to. If the lane cannot go on by
    /// lookup, the returned entry has `isStuck` set, and no bits are consumed.
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

    /// Stores a coefficient in the slot that the reached state names. The lane then continues with that state's table,
    /// next state and block.
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
    /// A code with its extra bits that was found and not yet consumed.
    private struct Found {
        /// The position of the next code in memory: its address in bytes times eight, plus the bit within the byte.
        var address: UInt
        /// The number of states to advance; 0 if the data match no code.
        var advance: Int
        var value: Int
    }

    /// Finds the next code and its extra bits, however long they are.
    ///
    /// The function takes and returns values instead of the lane. So the lane's address is never taken, and the lane
    /// stays in registers.
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

    /// If the lane is stuck, because its tables do not cover the next code, finds that code without them and consumes
    /// it. If the lane is not stuck, does nothing.
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

    /// Reads on, one table lookup at a time, to the end of the unit at which the lane must stop.
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
    /// Reads on in turns of three steps, as long as a turn can reach neither the limit nor the end.
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

    /// Reads on with two lanes that step alternately. Each turn makes three steps with both. Reading ends when a turn
    /// could take one of them to its limit or its end.
    ///
    /// - Returns: the number of the lane whose data match no code, 0 or 1; nil if there is none.
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
                // A stuck lane stays where it is, whatever steps follow. So one check behind the third step is enough.
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

    /// Reads on with three lanes that step alternately. Each turn makes three steps with all of them. Reading ends when
    /// a turn could take one of them to its limit or its end.
    ///
    /// - Returns: the number of the lane whose data match no code, from 0 to 2; nil if there is none.
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
                // A stuck lane stays where it is, whatever steps follow. So one check behind the third step is enough.
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
