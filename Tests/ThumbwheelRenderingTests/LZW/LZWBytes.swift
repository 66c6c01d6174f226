/// Streams made and read the plain way, to compare with.
struct LZWBytes {
    /// Whether codes begin at the lowest bit of a byte.
    var hasLowBitsFirst: Bool
    var symbolBits = 8
    /// By how many codes too soon codes become longer.
    var early: Int

    static let kinds = [
        LZWBytes(hasLowBitsFirst: true, early: 0), LZWBytes(hasLowBitsFirst: true, symbolBits: 1, early: 0),
        LZWBytes(hasLowBitsFirst: true, symbolBits: 2, early: 0),
        LZWBytes(hasLowBitsFirst: true, symbolBits: 5, early: 0),
        LZWBytes(hasLowBitsFirst: false, early: 1),
    ]

    private var clear: Int { 1 << symbolBits }
    private func bound(_ width: Int) -> Int { width < 12 ? 1 << width - early : .max }

    /// - Parameters:
    ///   - limit: the code behind which the dictionary is cleared; nil to never clear it.
    ///   - ends: whether an end code stands behind the last string.
    func compressed(_ data: [UInt8], clearingBehind limit: Int?, ends: Bool = true) -> [UInt8] {
        var codes: [[UInt8]: Int] = [:]
        // `known` counts as the decoder does, one string behind.
        var (width, next, known) = (symbolBits + 1, clear + 2, clear + 1)
        var bits: [Bool] = []
        func write(_ code: Int) {
            let places = hasLowBitsFirst ? Array(0..<width) : Array((0..<width).reversed())
            for place in places { bits.append(code >> place & 1 == 1) }
        }
        func emit(_ string: [UInt8]) {
            write(string.count == 1 ? Int(string[0]) : codes[string]!)
            if known < 4096 { known += 1 }
            if known >= bound(width) { width += 1 }
        }
        write(clear)
        var string: [UInt8] = []
        for symbol in data {
            let longer = string + [symbol]
            if longer.count == 1 || codes[longer] != nil {
                string = longer
                continue
            }
            emit(string)
            if next < 4096 {
                codes[longer] = next
                next += 1
            }
            string = [symbol]
            if let limit, next > limit {
                write(clear)
                codes = [:]
                (width, next, known) = (symbolBits + 1, clear + 2, clear + 1)
            }
        }
        if !string.isEmpty { emit(string) }
        if ends { write(clear + 1) }
        return packed(bits)
    }

    func packed(_ bits: [Bool]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (index, bit) in bits.enumerated() where bit {
            bytes[index / 8] |= hasLowBitsFirst ? 1 << UInt8(index % 8) : 0x80 >> UInt8(index % 8)
        }
        return bytes
    }

    /// The first bytes of a stream's contents, and why there are no more: "endOfInput", "outputFull", "complete"
    /// or "damaged".
    func decompressed(_ bytes: [UInt8], limit: Int) -> (made: [UInt8], pause: String) {
        var strings: [[UInt8]] = []
        var last: [UInt8] = []
        var made: [UInt8] = []
        func reset() { (strings, last) = ((0..<clear + 2).map { $0 < clear ? [UInt8($0)] : [] }, []) }
        reset()
        var width = symbolBits + 1
        var bit = 0
        while made.count < limit {
            guard bit + width <= bytes.count * 8 else { return (made, "endOfInput") }
            var code = 0
            for place in 0..<width {
                let index = bit + place
                if hasLowBitsFirst {
                    code |= Int(bytes[index / 8] >> UInt8(index % 8) & 1) << place
                } else {
                    code = code << 1 | Int(bytes[index / 8] >> UInt8(7 - index % 8) & 1)
                }
            }
            bit += width
            if code == clear {
                reset()
                width = symbolBits + 1
                continue
            }
            if code == clear + 1 { return (made, "complete") }
            let isNew = code == strings.count && !last.isEmpty
            guard code < strings.count || isNew else { return (made, "damaged") }
            let string = isNew ? last + [last[0]] : strings[code]
            if !last.isEmpty, strings.count < 4096 { strings.append(last + [string[0]]) }
            made += string
            last = string
            if strings.count >= bound(width) { width += 1 }
        }
        return (Array(made.prefix(limit)), "outputFull")
    }
}
