@testable import ThumbwheelRendering

/// Writes deflate blocks of given symbols, with codes of any shape.
struct DeflateWriter {
    enum Symbol {
        case literal(UInt8)
        case match(length: Int, distance: Int)
    }

    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Puts bits out, the lowest first.
    mutating func put(_ value: Int, _ count: Int) {
        pending |= UInt64(value) << UInt64(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(pending & 255))
            pending >>= 8
            pendingCount -= 8
        }
    }

    mutating func padToByte() { if pendingCount > 0 { put(0, 8 - pendingCount) } }

    /// A block with codes of its own.
    ///
    /// - Parameters:
    ///   - lengths: the lengths of the codes of 286 symbols.
    ///   - distances: the lengths of the codes of 30 distances.
    mutating func block(_ symbols: [Symbol], lengths: [Int], distances: [Int], isLast: Bool) {
        put(isLast ? 1 : 0, 1)
        put(2, 2)
        put(lengths.count - 257, 5)
        put(distances.count - 1, 5)
        put(15, 4)
        // All lengths have codes of four bits; of repetitions there are none.
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] { put(symbol < 16 ? 4 : 0, 3) }
        for length in lengths + distances { put(Self.reversed(length, 4), 4) }
        let codes = Self.codes(lengths)
        let ofDistances = Self.codes(distances)
        for symbol in symbols {
            switch symbol {
            case .literal(let byte): put(codes[Int(byte)], lengths[Int(byte)])
            case .match(let length, let distance):
                let (code, extra, count) = Self.code(of: length, in: Self.lengthBases)
                put(codes[257 + code], lengths[257 + code])
                put(extra, count)
                let (place, more, moreCount) = Self.code(of: distance, in: Self.distanceBases)
                put(ofDistances[place], distances[place])
                put(more, moreCount)
            }
        }
        put(codes[256], lengths[256])
    }

    static let lengthBases: [(base: Int, count: Int)] =
        (0..<28).reduce(into: []) { bases, index in
            let last = bases.last ?? (2, 0)
            bases.append((last.base + 1 << last.count, max(0, index / 4 - 1)))
        } + [(258, 0)]
    static let distanceBases: [(base: Int, count: Int)] =
        (0..<30).reduce(into: []) { bases, index in
            let last = bases.last ?? (0, 0)
            bases.append((last.base + 1 << last.count, max(0, index / 2 - 1)))
        }

    private static func code(of value: Int, in bases: [(base: Int, count: Int)]) -> (Int, Int, Int) {
        let code = bases.lastIndex { $0.base <= value }!
        return (code, value - bases[code].base, bases[code].count)
    }

    /// The codes of symbols, with their bits in the order in which they are put out.
    static func codes(_ lengths: [Int]) -> [Int] {
        var codes = [Int](repeating: 0, count: lengths.count)
        var code = 0
        for length in 1...15 {
            for symbol in lengths.indices where lengths[symbol] == length {
                codes[symbol] = reversed(code, length)
                code += 1
            }
            code <<= 1
        }
        return codes
    }

    private static func reversed(_ value: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | (value >> $1 & 1) << (count - 1 - $1) }
    }

    /// The lengths of a complete code: leaves of a random tree, some of them deep.
    static func lengths(count: Int, _ random: inout SplitMix) -> [Int] {
        if count == 1 { return [1] }
        var leaves = [1, 1]
        while leaves.count < count {
            let index = random.next() % 3 == 0 ? leaves.count - 1 : Int(random.next() % UInt64(leaves.count))
            guard leaves[index] < 15 else { continue }
            leaves[index] += 1
            leaves.append(leaves[index])
        }
        for index in leaves.indices.dropFirst() { leaves.swapAt(index, Int(random.next() % UInt64(index + 1))) }
        return leaves
    }
}
