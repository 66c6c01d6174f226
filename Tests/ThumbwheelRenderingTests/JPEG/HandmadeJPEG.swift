import ThumbwheelCore

@testable import ThumbwheelRendering

/// Grey baseline JPEGs that no encoder writes, put together code by code.
struct HandmadeJPEG {
    /// The Huffman table of AC coefficients: 16 counts, then the symbols.
    var definition: [UInt8]
    private var bits: [Bool] = []
    private var count = 0

    init(definition: [UInt8]) {
        self.definition = definition
    }

    /// Adds a block with the same DC coefficient as the one before it.
    ///
    /// - Parameter codes: symbols, each with its extra bits.
    mutating func append(_ codes: [(symbol: UInt8, extra: Int)]) {
        // The only DC code, of one bit.
        bits.append(false)
        for code in codes {
            append(code.symbol)
            let size = Int(code.symbol & 15)
            bits += (0..<size).map { code.extra >> (size - 1 - $0) & 1 == 1 }
        }
        count += 1
    }

    private mutating func append(_ symbol: UInt8) {
        var code = 0
        var index = 16
        for length in 1...16 {
            for _ in 0..<definition[length - 1] {
                if definition[index] == symbol {
                    bits += (0..<length).map { code >> (length - 1 - $0) & 1 == 1 }
                    return
                }
                code += 1
                index += 1
            }
            code <<= 1
        }
    }

    /// The file, whose blocks lie in one row.
    var bytes: [UInt8] {
        func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((contents.count + 2) >> 8), UInt8((contents.count + 2) & 255)] + contents
        }
        let width = 8 * count
        var file: [UInt8] = [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 3, count: 64))
        file += segment(0xC0, [8, 0, 8, UInt8(width >> 8), UInt8(width & 255), 1, 1, 0x11, 0])
        file += segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
        file += segment(0xC4, [0x10] + definition)
        file += segment(0xDA, [1, 1, 0, 0, 63, 0])
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = (start..<start + 8).reduce(UInt8(0)) { $0 << 1 | ($1 < bits.count && !bits[$1] ? 0 : 1) }
            file += byte == 0xFF ? [0xFF, 0] : [byte]
        }
        return file + [0xFF, 0xD9]
    }

    /// A file of blocks with sparse coefficients, many of which end in a run of 16 zeros that reaches beyond the last
    /// place.
    static func runsBeyondTheEnd(seed: UInt64, definition: [UInt8], blockCount: Int = 2000) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var file = HandmadeJPEG(definition: definition)
        for _ in 0..<blockCount {
            var codes: [(symbol: UInt8, extra: Int)] = []
            var place = 1
            let wantsEnd = random.index(below: 3) == 0
            let last = random.index(below: 64)
            while place < 64 {
                if place > last, wantsEnd {
                    codes.append((0, 0))
                    break
                }
                let run = min(random.index(below: 4), 63 - place)
                if place > last || random.index(below: 9) == 0 {
                    codes.append((0xF0, 0))
                    place += 16
                } else {
                    codes.append((UInt8(run << 4 | 1), random.index(below: 2)))
                    place += run + 1
                }
            }
            file.append(codes)
        }
        return file.bytes
    }

    /// A code whose longest word is the run of 16 zeros, so that it is found without a table.
    static let longRuns: [UInt8] =
        [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0] + [0x01, 0x11, 0x00, 0x21, 0x31, 0xF0]
}
