/// Inflates deflate blocks in the plainest way, a bit at a time, as the standard describes it (RFC 1951).
struct PlainInflate {
    struct Damage: Error {}

    private let bytes: ArraySlice<UInt8>
    private var position = 0
    private(set) var made: [UInt8] = []

    /// What a zlib stream inflates to, up to its end or its first damage.
    static func bytes(of stream: [UInt8]) -> [UInt8] {
        var inflater = PlainInflate(bytes: stream[2...])
        while (try? inflater.block()) ?? false {}
        return inflater.made
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// - Returns: whether another block follows.
    private mutating func block() throws(Damage) -> Bool {
        let isLast = try take(1) == 1
        switch try take(2) {
        case 0:
            position = (position + 7) / 8 * 8
            let (count, complement) = (try take(16), try take(16))
            guard count ^ complement == 0xFFFF else { throw Damage() }
            for _ in 0..<count { made.append(UInt8(try take(8))) }
        case 1:
            let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
            try symbols(lengths, [Int](repeating: 5, count: 32))
        case 2:
            let (count, distanceCount, codeCount) = (257 + (try take(5)), 1 + (try take(5)), 4 + (try take(4)))
            guard count <= 286, distanceCount <= 30 else { throw Damage() }
            var ofLengths = [Int](repeating: 0, count: 19)
            for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(codeCount) {
                ofLengths[symbol] = try take(3)
            }
            let code = try Self.code(ofLengths, allowsFew: false)
            var lengths: [Int] = []
            while lengths.count < count + distanceCount {
                switch try symbol(code) {
                case 16:
                    guard let last = lengths.last else { throw Damage() }
                    lengths += [Int](repeating: last, count: 3 + (try take(2)))
                case 17: lengths += [Int](repeating: 0, count: 3 + (try take(3)))
                case 18: lengths += [Int](repeating: 0, count: 11 + (try take(7)))
                case let length: lengths.append(length)
                }
            }
            guard lengths.count == count + distanceCount, lengths[256] > 0 else { throw Damage() }
            try symbols(Array(lengths[..<count]), Array(lengths[count...]))
        default: throw Damage()
        }
        return !isLast
    }

    private mutating func symbols(_ lengths: [Int], _ distances: [Int]) throws(Damage) {
        let (code, ofDistances) = (try Self.code(lengths, allowsFew: true), try Self.code(distances, allowsFew: true))
        while true {
            let symbol = try symbol(code)
            if symbol < 256 {
                made.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw Damage() }
            let (base, count) = DeflateWriter.lengthBases[symbol - 257]
            let length = base + (try take(count))
            let place = try self.symbol(ofDistances)
            guard place < 30 else { throw Damage() }
            let (least, extraCount) = DeflateWriter.distanceBases[place]
            let distance = least + (try take(extraCount))
            guard distance <= made.count else { throw Damage() }
            for _ in 0..<length { made.append(made[made.count - distance]) }
        }
    }

    private mutating func take(_ count: Int) throws(Damage) -> Int {
        guard position + count <= 8 * bytes.count else { throw Damage() }
        var value = 0
        for bit in 0..<count {
            value |= Int(bytes[bytes.startIndex + position / 8] >> UInt8(position % 8) & 1) << bit
            position += 1
        }
        return value
    }

    /// The next symbol of a code, whose keys have a 1 before the bits of each symbol's code.
    private mutating func symbol(_ code: [Int: Int]) throws(Damage) -> Int {
        var key = 1
        while key < 1 << 16 {
            key = key << 1 | (try take(1))
            if let symbol = code[key] { return symbol }
        }
        throw Damage()
    }

    private static func code(_ lengths: [Int], allowsFew: Bool) throws(Damage) -> [Int: Int] {
        var code: [Int: Int] = [:]
        var next = 0
        for length in 1...15 {
            for symbol in lengths.indices where lengths[symbol] == length {
                guard next < 1 << length else { throw Damage() }
                code[1 << length | next] = symbol
                next += 1
            }
            next <<= 1
        }
        guard next == 1 << 16 || allowsFew && lengths.allSatisfy({ $0 < 2 }) && code.count < 2 else { throw Damage() }
        return code
    }
}
