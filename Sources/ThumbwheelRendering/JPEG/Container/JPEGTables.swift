/// The quantisation and Huffman tables that apply at a position in a JPEG.
struct JPEGTables {
    /// The tables in the four slots that a file can define: 64 quantisation steps in zigzag order. Nil for a slot that
    /// the file has not defined.
    private(set) var quantization: [[UInt16]?] = [nil, nil, nil, nil]
    private var dcCodes: [HuffmanCode?] = [nil, nil, nil, nil]
    private var acCodes: [HuffmanCode?] = [nil, nil, nil, nil]
    /// The number of minimum coded units between restarts; 0 for no restarts.
    private(set) var restartInterval = 0

    /// Reads a segment that defines tables or the restart interval, and ignores any other segment.
    mutating func read(marker: UInt8, contents: [UInt8]) throws(RenderError) {
        switch marker {
        case 0xDB: try readQuantization(contents)
        case 0xC4: try readHuffman(contents)
        case 0xDD:
            guard contents.count >= 2 else { throw .malformed(reason: "a restart interval of \(contents.count) bytes") }
            restartInterval = Int(contents[0]) << 8 | Int(contents[1])
        default: break
        }
    }

    func dcCode(_ slot: Int) -> HuffmanCode? { dcCodes[slot] ?? .standard(isAC: false, slot: slot) }

    func acCode(_ slot: Int) -> HuffmanCode? { acCodes[slot] ?? .standard(isAC: true, slot: slot) }

    private mutating func readQuantization(_ contents: [UInt8]) throws(RenderError) {
        var rest = contents[...]
        while let head = rest.popFirst() {
            let width = head >> 4 == 0 ? 1 : 2
            let slot = Int(head & 15)
            guard slot < 4, head >> 4 < 2, rest.count >= 64 * width else {
                throw .malformed(reason: "a quantisation table that is too short or beyond the fourth")
            }
            let first = rest.startIndex
            quantization[slot] = (0..<64).map { index in
                width == 1
                    ? UInt16(rest[first + index])
                    : UInt16(rest[first + 2 * index]) << 8 | UInt16(rest[first + 2 * index + 1])
            }
            rest = rest.dropFirst(64 * width)
        }
    }

    private mutating func readHuffman(_ contents: [UInt8]) throws(RenderError) {
        var rest = contents[...]
        while let head = rest.popFirst() {
            let total = rest.prefix(16).reduce(0) { $0 + Int($1) }
            let slot = Int(head & 15)
            guard slot < 4, head >> 4 < 2, rest.count >= 16 + total,
                let code = HuffmanCode(definition: Array(rest.prefix(16 + total)))
            else { throw .malformed(reason: "a Huffman table that makes no code") }
            if head >> 4 == 0 { dcCodes[slot] = code } else { acCodes[slot] = code }
            rest = rest.dropFirst(16 + total)
        }
    }

    /// Reorders the entries of a table from zigzag order to natural order, row by row.
    static func inNaturalOrder(_ table: [UInt16]) -> [UInt16] {
        var result = [UInt16](repeating: 0, count: 64)
        for (place, natural) in naturalOrder.enumerated() { result[natural] = table[place] }
        return result
    }

    /// For each coefficient in zigzag order, its position in the block, counted row by row (T.81, figure A.6).
    static let naturalOrder: [Int] = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14,
        21, 28,
        35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
        47, 55,
        62, 63,
    ]
}
