/// One chain of lookups through entropy-coded data (T.81, F.2.2): reads minimum coded units, one after the other, into
/// blocks that lie behind each other.
///
/// A chain is bound by the latency of its loads, so several are stepped in turn. All of a lane's state is in plain values
/// and nothing takes its address, so that such a loop keeps most of it in registers.
struct EntropyLane {
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
    // Up to there, three steps lead neither to the limit nor to the end.
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

    /// Whether it is between two units.
    var isBetweenUnits: Bool { state == firstState }

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
        // The longest code with the longest extra bits may be the third.
        safeAddress = limit &- min(limit, UInt(2 * HuffmanTable.longest + 31))
        // Of three steps two can end a block, so all are safe as long as two blocks are still to come.
        safeOutput = UInt(bitPattern: end - largestBlock)
    }

    /// Whether three steps can be made without looking at anything else.
    @inline(__always) var isSafe: Bool { address < safeAddress && UInt(bitPattern: output) < safeOutput }

    /// How often three steps can be made at least, where it is safe, as long as all are made by lookups.
    @inline(__always) private var safeTurns: Int {
        let byBits = Int(bitPattern: limit &- address) &>> 6
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

    /// Reads one entry's worth.
    ///
    /// - Returns: false where it must be read code by code; then nothing has been.
    @inline(__always) private mutating func step() -> Bool {
        let entry = table[Int(bits &>> UInt64(64 &- HuffmanTable.bits))]
        let reached = state + Int(entry &>> 8 & 255) &* ScanStates.stateByteCount
        guard let next = reached.load(as: UnsafePointer<UInt32>?.self) else { return false }
        bits = bits &<< UInt64(entry)
        arrive(at: reached, next, value: Int16(truncatingIfNeeded: entry &>> 16))
        return true
    }

    /// Stores a coefficient and goes where the state that has been met leads.
    @inline(__always)
    private mutating func arrive(at reached: UnsafeRawPointer, _ next: UnsafePointer<UInt32>, value: Int16) {
        let move = (reached + ScanStates.moveOffset).assumingMemoryBound(to: ScanStates.Move.self)
        output[Int(move.pointee.slot)] = value
        output += Int(move.pointee.step)
        state = reached + Int(move.pointee.next) &* ScanStates.stateByteCount
        table = next
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
        at address: UInt, _ distance: Int, _ codes: ScanCodes
    ) -> Found {
        let none = Found(address: address, advance: 0, value: 0)
        let bytes = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        let bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) &<< UInt64(address & 7)
        let block = distance &>> ScanStates.blockShift
        let place = (distance & (1 &<< ScanStates.blockShift &- 1)) / ScanStates.stateByteCount
        guard let (symbol, length) = codes.symbol(at: Int(bits &>> 48), block: block, isDC: place == 0) else {
            return none
        }
        let size = place == 0 ? symbol : symbol & 15
        guard size <= 15 else { return none }
        let next = address &+ UInt(length &+ size)
        let run = place == 0 ? 0 : symbol &>> 4
        // The end of the block; the coefficient before it is none.
        if place > 0, size == 0, run < 15 {
            return Found(address: next, advance: place == 63 ? 1 : HuffmanTable.ends &+ 1, value: 0)
        }
        guard place &+ run < 64 else { return none }
        let value = size == 0 ? 0 : Int((bits &<< UInt64(length)) &>> UInt64(64 &- size))
        return Found(address: next, advance: run &+ 1, value: HuffmanCode.extended(value, size: size))
    }

    /// A coefficient or difference whose code the tables know, though not its extra bits.
    @inline(__always) private func findExtraBits() -> Found? {
        let bytes = UnsafeRawPointer(bitPattern: address &>> 3).unsafelyUnwrapped
        let bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) &<< UInt64(address & 7)
        let entry = table[Int(bits &>> UInt64(64 &- HuffmanTable.bits))]
        let length = UInt(entry & 255)
        guard entry &>> 8 & 255 == HuffmanTable.escape, length > 0 else { return nil }
        let size = Int(entry &>> 16 & 15)
        let extra = Int64(bitPattern: bits &<< UInt64(length))
        // Those whose first bit is 0 are negative, less one (T.81, F.2.2.1).
        let value = Int(UInt64(bitPattern: extra) &>> UInt64(64 &- size)) &- ((1 &<< size &- 1) & ~Int(extra &>> 63))
        return Found(address: address &+ length &+ UInt(size), advance: Int(entry &>> 20) &+ 1, value: value)
    }

    /// Reads code by code after `step` could not.
    @inline(__always) private mutating func stepAside(_ codes: ScanCodes) -> Bool {
        let found = findExtraBits() ?? Self.find(at: address, firstState.distance(to: state), codes)
        let reached = state + found.advance &* ScanStates.stateByteCount
        guard found.advance > 0, let next = reached.load(as: UnsafePointer<UInt32>?.self) else { return false }
        address = found.address
        arrive(at: reached, next, value: Int16(truncatingIfNeeded: found.value))
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
            let isRead = lane.step()
            lane.settle()
            if !isRead, !lane.stepAside(codes) { return .invalid }
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
        defer { self = one }
        while one.isSafe {
            for _ in 0..<one.safeTurns {
                one.refill()
                let isRead = one.step() && one.step() && one.step()
                one.settle()
                if isRead { continue }
                if !one.stepAside(codes) { return false }
                break
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
        defer {
            first = one
            second = two
        }
        while one.isSafe, two.isSafe {
            for _ in 0..<min(one.safeTurns, two.safeTurns) {
                one.refill()
                two.refill()
                var aside = 0
                turn: do {
                    for _ in 0..<3 {
                        aside = 1
                        guard one.step() else { break turn }
                        aside = 2
                        guard two.step() else { break turn }
                    }
                    aside = 0
                }
                one.settle()
                two.settle()
                switch aside {
                case 0: continue
                case 1: if !one.stepAside(codes) { return 0 }
                default: if !two.stepAside(codes) { return 1 }
                }
                break
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
        defer {
            first = one
            second = two
            third = three
        }
        while one.isSafe, two.isSafe, three.isSafe {
            for _ in 0..<min(one.safeTurns, two.safeTurns, three.safeTurns) {
                one.refill()
                two.refill()
                three.refill()
                var aside = 0
                turn: do {
                    for _ in 0..<3 {
                        aside = 1
                        guard one.step() else { break turn }
                        aside = 2
                        guard two.step() else { break turn }
                        aside = 3
                        guard three.step() else { break turn }
                    }
                    aside = 0
                }
                one.settle()
                two.settle()
                three.settle()
                switch aside {
                case 0: continue
                case 1: if !one.stepAside(codes) { return 0 }
                case 2: if !two.stepAside(codes) { return 1 }
                default: if !three.stepAside(codes) { return 2 }
                }
                break
            }
        }
        return nil
    }
}
