/// A decoder of a part of a deflate block. It tells literal bytes and matches apart, and copies nothing yet, so it needs
/// nothing of what was decoded before.
struct InflateLane {
    enum State {
        case running
        /// The block's end was decoded.
        case ended
        /// The next bits are no code.
        case damaged
    }

    /// A part ends so many bits before its memory for literals, which has a byte for each bit: the last step may go so far
    /// beyond the part.
    static let margin = 256

    /// The index of the next bit.
    private(set) var position: Int
    private(set) var state = State.running
    // The lane stops at this bit, or at most one symbol behind.
    private var end: Int
    // Before this bit, the lane takes steps of several symbols.
    private var stepEnd: Int
    private var literals: UnsafeMutablePointer<UInt8>
    private var matches: UnsafeMutablePointer<InflateMatch>
    // The first literal behind the last match.
    private var runStart: UnsafeMutablePointer<UInt8>
    // The last match that there is memory for.
    private let lastMatch: UnsafeMutablePointer<InflateMatch>

    /// - Parameters:
    ///   - literals: memory for a byte for each bit of the part, and `margin` more.
    ///   - matches: memory for at least one match. If there are more, the lane stops early.
    init(
        from position: Int, to end: Int, literals: UnsafeMutablePointer<UInt8>,
        matches: UnsafeMutableBufferPointer<InflateMatch>
    ) {
        precondition(!matches.isEmpty)
        self.position = position
        self.end = end
        // A step takes at most three literals of 11 bits and a match of 48.
        stepEnd = end - 96
        self.literals = literals
        self.matches = matches.baseAddress!
        runStart = literals
        lastMatch = matches.baseAddress! + (matches.count - 1)
    }

    /// Whether the lane is far enough from its end for a step.
    @inline(__always) var canStep: Bool { position < stepEnd }

    /// Whether the lane has not reached its end.
    var canTake: Bool { position < end && state == .running }

    /// The memory behind the last literal.
    var literalsEnd: UnsafePointer<UInt8> { UnsafePointer(literals) }
    /// The memory behind the last match.
    var matchesEnd: UnsafePointer<InflateMatch> { UnsafePointer(matches) }

    /// Takes up to four literals, or up to three and a symbol of any kind.
    @inline(__always)
    mutating func step(
        _ bytes: UnsafeRawPointer, _ symbols: UnsafePointer<InflateEntry>, _ distances: UnsafePointer<InflateEntry>
    ) {
        // Literals among the primary entries have at most 11 bits, so 57 bits are enough for four lookups. Numbers of bits
        // are added up in the lowest byte of whole entries.
        var word = inflateWord(bytes, position)
        var (sum, target) = (UInt32(0), literals)
        for _ in 0..<4 {
            let entry = symbols[Int(truncatingIfNeeded: word & 0x7FF)]
            guard entry.isLiteral else {
                literals = target
                position &+= Int(sum & 0xFF)
                return take(bytes, symbols, distances)
            }
            target.pointee = entry.byte
            target += 1
            sum &+= entry.bits
            entry.pass(&word)
        }
        literals = target
        position &+= Int(sum & 0xFF)
    }

    /// Takes a symbol of any kind.
    @inline(__always)
    mutating func take(
        _ bytes: UnsafeRawPointer, _ symbols: UnsafePointer<InflateEntry>, _ distances: UnsafePointer<InflateEntry>
    ) {
        // A match has up to 15 + 5 + 15 + 13 bits, so 57 are enough.
        var word = inflateWord(bytes, position)
        let symbol = InflateLane.symbol(word, symbols)
        if symbol.isLiteral {
            literals.pointee = symbol.byte
            literals += 1
            position &+= symbol.bitCount
            return
        }
        guard !symbol.isLast else { return stop(symbol) }
        let length = symbol.sum(word)
        symbol.pass(&word)
        let distance = InflateLane.distance(word, distances)
        guard !distance.isInvalid else { return stop(distance) }
        position &+= symbol.bitCount &+ distance.bitCount
        add(length: length, distance: distance.sum(word))
    }

    @inline(__always)
    static func symbol(_ word: UInt64, _ symbols: UnsafePointer<InflateEntry>) -> InflateEntry {
        let entry = symbols[Int(truncatingIfNeeded: word & 0x7FF)]
        return entry.isLink ? entry.linked(word &>> 11, in: symbols) : entry
    }

    @inline(__always)
    static func distance(_ word: UInt64, _ distances: UnsafePointer<InflateEntry>) -> InflateEntry {
        let entry = distances[Int(truncatingIfNeeded: word & 0xFF)]
        return entry.isLink ? entry.linked(word &>> 8, in: distances) : entry
    }

    @inline(__always)
    private mutating func add(length: Int, distance: Int) {
        matches.pointee = InflateMatch(
            literalCount: UInt32(truncatingIfNeeded: literals - runStart), length: UInt16(truncatingIfNeeded: length),
            distance: UInt16(truncatingIfNeeded: distance))
        matches += 1
        runStart = literals
        if matches == lastMatch { (end, stepEnd) = (0, 0) }
    }

    private mutating func stop(_ entry: InflateEntry) {
        (end, stepEnd) = (0, 0)
        if entry.isInvalid {
            state = .damaged
        } else {
            position &+= entry.bitCount
            state = .ended
        }
    }

    /// Adds the literals behind the last match, as a match without length.
    mutating func finish() {
        matches.pointee = InflateMatch(
            literalCount: UInt32(truncatingIfNeeded: literals - runStart), length: 0, distance: 0)
        matches += 1
        runStart = literals
    }
}
