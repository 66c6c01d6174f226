/// One of several decoders that work alternately, each on its own part of a scan's entropy-coded data (T.81, F.2.2).
/// Such a decoder is called a lane. It decodes minimum coded units one after the other, and stores their blocks one
/// after the other.
///
/// Each table lookup of a lane needs the result of the lookup before. While one lane waits for a lookup, the processor
/// continues with another lane. A lane's state consists of plain values whose addresses are never taken, so that the
/// loop that steps the lanes keeps most of the state in registers.
struct EntropyLane {
    /// One pointer for each lane (the decoder of one part of a scan's data), to the block that the lane's coefficients
    /// go into. A loop advances the lanes alternately. These pointers are kept in memory, so that the processor's
    /// registers are free for the values that the next step needs.
    typealias Outputs = UnsafeMutablePointer<UnsafeMutablePointer<Int16>>

    /// The reason why a lane (the decoder of one part of a scan's data) stopped.
    enum Stop {
        /// The wanted number of minimum coded units has been decoded.
        case done
        /// The decoder has decoded a minimum coded unit that ends at `limit` or after it.
        case limit
        /// The data match no code, or a block has more than 64 coefficients.
        case invalid
    }

    // The next bits of the data, beginning at the highest bit. After them comes a 1 as a mark, and then zeros. Each
    // step consumes bits by a shift to the left, which adds zeros on the right. So the number of zeros after the mark
    // is the number of bits that were consumed since `address`.
    private var bits: UInt64 = 1
    /// The reading position, counted in bits: eight times the address of a byte in memory, plus the number of the bit
    /// in the byte. Up to three table lookups share one load of a word. During these lookups, this is the position of
    /// the word's first bit. After them, it is moved on to the next bit to be read.
    private(set) var address: UInt
    // The table in which the next bits are looked up.
    private var table: UnsafePointer<UInt32>
    // A pointer into `ScanStates`, for the position that this decoder has reached within the minimum coded unit.
    private var state: UnsafeRawPointer
    /// The address of the first coefficient of the block that the decoded coefficients go into.
    private(set) var output: UnsafeMutablePointer<Int16>

    /// The position in the data at which this decoder stops, counted in bits like `address`. It still completes the
    /// minimum coded unit that reaches this position.
    private(set) var limit: UInt = 0
    /// The end of the memory for the wanted minimum coded units. This decoder stops when its output reaches this
    /// address.
    private(set) var end: UnsafeMutablePointer<Int16>
    // While `address` is below this value, three table lookups cannot consume bits beyond `limit`. So they need no
    // check.
    private var safeAddress: UInt = 0
    // While `output` is below this value, three table lookups cannot write blocks beyond `end`. So they need no check.
    private var safeOutput: UInt = 0

    private let firstState: UnsafeRawPointer
    private let firstTable: UnsafePointer<UInt32>
    private let largestBlock: Int
    // A shift that replaces a division by the number of coefficients in two blocks: the binary logarithm of that
    // number, rounded up. A turn consists of three table lookups without a check of `end`, and completes at most two
    // blocks. So the number of coefficients that fit before `end`, shifted to the right by `turnShift`, is a number of
    // turns that cannot write beyond `end`.
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

    /// Makes a decoder that continues from the recorded position of another one.
    ///
    /// - Parameter states: the decoder states with which the recorded position was reached. The position contains
    ///   pointers into these states and their tables.
    init(_ mark: EntropyTrail.Mark, states: ScanStates, output: UnsafeMutablePointer<Int16>) {
        self.init(at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: states, output: output)
        address = mark.address
        table = mark.table
        state = mark.state
    }

    /// The current position of this decoder, from which another one can continue.
    ///
    /// - Parameter start: the address of the first coefficient of the run of minimum coded units that this decoder
    ///   decodes.
    func mark(from start: UnsafeMutablePointer<Int16>) -> EntropyTrail.Mark {
        EntropyTrail.Mark(address: address, table: table, state: state, offset: start.distance(to: output))
    }

    @inline(__always)
    private func note(_ lane: Int, _ outputs: Outputs, _ marks: EntropyMarks?) {
        marks?.note(lane, address, table, state, outputs[lane])
    }

    /// Whether this decoder is between two minimum coded units. `state` alone does not tell, because it equals
    /// `firstState` also in the middle of the code of a unit's first DC difference. But there, `table` differs from
    /// `firstTable`.
    var isBetweenUnits: Bool { state == firstState && table == firstTable }

    /// Moves this decoder to the start of a byte at which a minimum coded unit begins.
    mutating func restart(at start: UnsafePointer<UInt8>) {
        address = UInt(bitPattern: start) &* 8
        state = firstState
        table = firstTable
    }

    /// Changes this decoder's position in memory by a number of bytes, because the data that it decodes were moved.
    mutating func move(by distance: Int) { address &+= UInt(bitPattern: distance &* 8) }

    /// Sets the memory for the minimum coded units that this decoder decodes next.
    mutating func write(to output: UnsafeMutablePointer<Int16>) { self.output = output }

    /// Returns a copy of this decoder that goes on from the same position, but decodes with the tables of `states`.
    /// This decoder must be between two minimum coded units.
    func reading(by states: ScanStates) -> EntropyLane {
        var lane = EntropyLane(at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: states, output: output)
        lane.address = address
        return lane
    }

    /// Sets where this decoder stops: after the minimum coded unit that reaches the position `limit`, or at `end` in
    /// its output, whichever comes first.
    mutating func bound(limit: UInt, end: UnsafeMutablePointer<Int16>) {
        self.limit = limit
        self.end = end
        safeAddress = limit &- min(limit, Self.turnBitCount)
        // While `output` is below this address, there is room for at least two more blocks. Three table lookups
        // complete at most two blocks, so they cannot write beyond `end`.
        safeOutput = UInt(bitPattern: end - largestBlock)
    }

    /// The most bits that three table lookups consume. The first two consume up to `longest` bits each. The third may
    /// find a code that is too long for the tables. Such a code takes up to 31 bits: 16 for the code word, and 15 extra
    /// bits.
    private static let turnBitCount = UInt(2 * SingleScanTable.longest + 31)

    /// Whether the next three table lookups need no check, because they can pass neither `limit` in the data nor `end`
    /// in the output.
    var isSafe: Bool { isSafe(output) }

    @inline(__always) private func isSafe(_ output: UnsafeMutablePointer<Int16>) -> Bool {
        address < safeAddress && UInt(bitPattern: output) < safeOutput
    }

    /// Returns how many times three table lookups can be made, one time after the other, without checking `limit` and
    /// `end`. The result is at least 1, because the caller knows already that three lookups can be made (`isSafe`).
    @inline(__always) private func safeTurns(_ output: UnsafeMutablePointer<Int16>) -> Int {
        // Three lookups consume at most 67 bits (`turnBitCount`). Multiplying by 15/1024 is faster than dividing by 67,
        // and 15/1024 is a little less than 1/67.
        let byBits = (Int(bitPattern: limit &- address) &* 15) &>> 10
        let byBlocks = output.distance(to: end) &>> turnShift
        return max(1, min(byBits, byBlocks))
    }

    /// Loads enough bits for three table lookups. `settle` must be called between these lookups and the next `refill`:
    /// it moves `address` past the bits that the lookups have consumed.
    @inline(__always) private mutating func refill() {
        let bytes = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        bits = (UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) | 1) &<< UInt64(address & 7)
        address &= ~7
    }

    @inline(__always) private mutating func settle() { address &+= UInt(bits.trailingZeroBitCount) }

    /// Makes one step of decoding. The table entry for the next bits is looked up, its bits are consumed, and the
    /// decoder moves to the state that the entry leads to. If the tables do not contain the next code, no bits are
    /// consumed.
    ///
    /// - Parameter output: the address of the block that the decoded coefficients go into. This function reads and
    ///   changes this address, and leaves the decoder's property `output` alone.
    /// - Returns: the table entry. It has `isStuck` set if the tables do not contain the next code.
    @inline(__always)
    private mutating func step(_ output: Outputs) -> UInt32 {
        let entry = table[Int(bits &>> UInt64(64 &- SingleScanTable.bits))]
        bits = bits &<< UInt64(entry)
        arrive(
            at: state + Int(entry &>> 8 & 255) &* ScanStates.stateByteCount, value: entry &>> 16, output)
        return entry
    }

    /// Moves the decoder to the state that the last code led to, `reached`, and writes the coefficient of that code.
    /// Three things are stored for the reached state:
    /// - the table for the next code
    /// - the state from which the next step goes on; mostly it is the reached state itself
    /// - where the coefficient is written in its block, and how far the output moves on afterwards: to the next block
    ///   if the block is complete, and otherwise not at all
    ///
    /// - Parameter value: the coefficient just read.
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

// MARK: - Decoding with a check after each code

extension EntropyLane {
    /// A code word in the data and the extra bits after it, found by `find`. The decoder has not moved past them yet.
    private struct Found {
        /// The position directly after the code word and its extra bits: eight times the address of a byte in memory,
        /// plus the number of the bit in the byte.
        var address: UInt
        /// The number of decoder states by which to move on; 0 if the data match no code. The states of a block follow
        /// each other in memory, one for each number of coefficients read.
        var advance: Int
        var value: Int
    }

    /// Finds the next code and its extra bits without the tables, because together they may be too long for a table
    /// entry.
    ///
    /// This function takes and returns single values of the decoder, and not the decoder itself. So the decoder's
    /// address is never taken, and the decoder stays in registers.
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
        // A code without a coefficient stands for 16 zeros if its `run` is 15, and otherwise for an end of block. From
        // the position `lastPlaces` on, at most 16 coefficients are left in the block. There, a code for 16 zeros is
        // treated as an end of block.
        let isRun = run == 15 && place < SingleScanTable.lastPlaces
        if place > 0, size == 0, !isRun { return Found(address: next, advance: SingleScanTable.ends &+ 1, value: 0) }
        guard place &+ run < 64 else { return none }
        let value = size == 0 ? 0 : Int((bits &<< UInt64(length)) &>> UInt64(64 &- size))
        return Found(address: next, advance: run &+ 1, value: HuffmanCode.extended(value, size: size))
    }

    /// Decodes the next code without the tables if this decoder is stuck at it, and moves past the code. A decoder is
    /// stuck if its tables do not contain the next code. If it is not stuck, this function does nothing.
    ///
    /// - Returns: false if the data match no code.
    @inline(__always) private mutating func decodeIfStuck(_ codes: ScanCodes, _ output: Outputs) -> Bool {
        let distance = firstState.distance(to: state)
        let place = distance % ScanStates.blockByteCount / ScanStates.stateByteCount
        guard place >= 64 else { return true }
        // `place` is the number of the decoder state within its block. It is below 64 as long as all data are valid and
        // all codes are in the tables. A code that the tables lack raises it by `stuck`. So a number from 64 to
        // `stuck - 1` shows invalid data: a block with more than 64 coefficients.
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

    /// Decodes until the position in the data has reached `limit`, or the output has reached `end`. Decoding stops only
    /// between two minimum coded units. One table lookup is made at a time, so that no unit is decoded beyond these
    /// limits.
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
            let isValid = entry & SingleScanTable.isStuck == 0 || lane.decodeIfStuck(codes, &place)
            lane.output = place
            if !isValid { return .invalid }
        }
    }
}

// MARK: - Fast loops that advance one, two or three lanes

extension EntropyLane {
    /// Decodes with this decoder alone, not with several alternately, in a loop that makes three table lookups in each
    /// round. It stops before a round that might pass `limit` in the data or `end` in the output.
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
                if entry & SingleScanTable.isStuck != 0, !one.decodeIfStuck(codes, outputs) { return false }
            }
        }
        return true
    }

    /// Decodes with two lanes (decoders), each in its own part of the scan's data. In each round of a loop, both lanes
    /// make three table lookups, alternately. The loop stops before a round in which a lane might pass its `limit` in
    /// the data or its `end` in the output.
    ///
    /// - Returns: the number of the lane whose data match no code, 0 or 1; nil if there is no such lane.
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
                // A decoder is stuck if its next code is not in the tables. It then does not move, whatever steps
                // follow. So one check after the third step is enough.
                let entries = one.step(outputs) | two.step(outputs + 1)
                one.settle()
                two.settle()
                if entries & SingleScanTable.isStuck == 0 { continue }
                if !one.decodeIfStuck(codes, outputs) { return 0 }
                if !two.decodeIfStuck(codes, outputs + 1) { return 1 }
            }
        }
        return nil
    }

    /// Decodes with three lanes (decoders), each in its own part of the scan's data. In each round of a loop, all lanes
    /// make three table lookups, alternately. The loop stops before a round in which a lane might pass its `limit` in
    /// the data or its `end` in the output.
    ///
    /// - Returns: the number of the lane whose data match no code, from 0 to 2; nil if there is no such lane.
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
                // A decoder is stuck if its next code is not in the tables. It then does not move, whatever steps
                // follow. So one check after the third step is enough.
                let entries = one.step(outputs) | two.step(outputs + 1) | three.step(outputs + 2)
                one.settle()
                two.settle()
                three.settle()
                if entries & SingleScanTable.isStuck == 0 { continue }
                if !one.decodeIfStuck(codes, outputs) { return 0 }
                if !two.decodeIfStuck(codes, outputs + 1) { return 1 }
                if !three.decodeIfStuck(codes, outputs + 2) { return 2 }
            }
        }
        return nil
    }
}
