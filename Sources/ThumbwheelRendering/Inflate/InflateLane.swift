/// A decoder of one part of a deflate block. Several lanes decode parts of the same block at the same time. A lane only
/// separates literal bytes from matches; it does not copy the bytes that a match repeats. So it does not need the
/// output of the parts before its own.
struct InflateLane {
    enum State {
        case running
        /// The code for the end of the block was decoded.
        case ended
        /// The next bits are not a valid code.
        case damaged
    }

    /// The number of spare bytes at the end of a lane's buffer for literals. The buffer without them has one byte for
    /// each bit of the lane's part, because a literal takes at least one bit. The spare bytes are needed for two
    /// reasons:
    /// - A lane may decode some literals beyond its part. It stops where the next lane begins: at the first symbol of
    ///   the next part, which may lie some bits after the end of its own part.
    /// - Literals are read in whole vectors, which may reach beyond the last literal.
    static let margin = 256

    /// The index of the next bit to decode.
    private(set) var position: Int
    private(set) var state = State.running
    // The index of the bit at which the lane stops. The last symbol may begin before this bit and end after it.
    private var end: Int
    // The index of the bit from which on the lane decodes one symbol at a time. Before that bit, it decodes several
    // symbols in each step.
    private var stepEnd: Int
    private var literals: UnsafeMutablePointer<UInt8>
    private var matches: UnsafeMutablePointer<InflateMatch>
    // The address of the first literal after the last match.
    private var runStart: UnsafeMutablePointer<UInt8>
    // The last place in the memory for matches. It is reserved for `finish`.
    private let lastMatch: UnsafeMutablePointer<InflateMatch>

    /// - Parameters:
    ///   - literals: memory of one byte for each bit of the lane's part, and `margin` more bytes.
    ///   - matches: memory for at least one match. The lane stops early if this memory is full.
    init(
        from position: Int, to end: Int, literals: UnsafeMutablePointer<UInt8>,
        matches: UnsafeMutableBufferPointer<InflateMatch>
    ) {
        precondition(!matches.isEmpty)
        self.position = position
        self.end = end
        // Several symbols are decoded in one step, without looking at `end`. A step takes at most 81 bits: three
        // literals of 11 bits each, and a match of 48 bits. So a step begins only where more than 96 bits are left.
        stepEnd = end - 96
        self.literals = literals
        self.matches = matches.baseAddress!
        runStart = literals
        lastMatch = matches.baseAddress! + (matches.count - 1)
    }

    /// Whether the lane is far enough from its end for a step of several symbols.
    @inline(__always) var canStep: Bool { position < stepEnd }

    /// Whether the lane may decode another symbol: it has reached neither its end, nor the end of the block, nor
    /// damage.
    var canTake: Bool { position < end && state == .running }

    /// The address after the last literal.
    var literalsEnd: UnsafePointer<UInt8> { UnsafePointer(literals) }
    /// The address after the last match.
    var matchesEnd: UnsafePointer<InflateMatch> { UnsafePointer(matches) }

    /// Decodes up to four literals. If another kind of symbol, or a literal with a long code, comes before the fourth
    /// literal, the step ends with that symbol.
    @inline(__always)
    mutating func step(
        _ bytes: UnsafeRawPointer, _ symbols: UnsafePointer<InflateEntry>, _ distances: UnsafePointer<InflateEntry>
    ) {
        // Up to four literals are looked up in one word. A word has at least 57 valid bits, and a literal's code in the
        // first table has at most 11 bits. The lowest byte of an entry is the length of its code. So the lowest byte of
        // `sum` is the total length of the codes. The higher bytes of the entries are added too, but only the lowest
        // byte of `sum` is used.
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

    /// Decodes one symbol of any kind: a literal, a match, or the end of the block.
    @inline(__always)
    mutating func take(
        _ bytes: UnsafeRawPointer, _ symbols: UnsafePointer<InflateEntry>, _ distances: UnsafePointer<InflateEntry>
    ) {
        // A match takes at most 48 bits. Its length has up to 15 bits of code and 5 extra bits, and its distance up to
        // 15 bits of code and 13 extra bits. So the 57 bits of a word are enough.
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

    /// Records the literals after the last match, as a match of length 0.
    mutating func finish() {
        matches.pointee = InflateMatch(
            literalCount: UInt32(truncatingIfNeeded: literals - runStart), length: 0, distance: 0)
        matches += 1
        runStart = literals
    }
}
