@testable import FixtureKit

/// A TIFF of small pictures, written field by field (TIFF 6.0; BigTIFF).
struct TIFFFile {
    var width: Int
    var height: Int
    var photometric = 2
    var samplesPerPixel = 3
    var bits = 8
    /// 1, 5 for LZW, 7 for JPEG in shades of grey, or 32773 for PackBits.
    var compression = 1
    var predictor = 1
    var isBigEndian = false
    var isBigTIFF = false
    /// Rows of a strip; nil for a file that does not say.
    var rowsPerStrip: Int? = 5
    var tile: (width: Int, height: Int)?
    var extraSamples: [Int] = []
    var colorMap: [Int] = []
    /// A sample by its row, column and number in the pixel.
    var sample: (Int, Int, Int) -> Int = { y, x, index in y * 31 &+ x * 7 &+ index * 83 }

    /// Bytes in the file's order.
    func integer(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    private var blocks: [[UInt8]] {
        let (blockWidth, blockHeight) = tile ?? (width, min(height, rowsPerStrip ?? height))
        return stride(from: 0, to: height, by: blockHeight).flatMap { top in
            stride(from: 0, to: width, by: blockWidth).map { left in
                let rowCount = tile == nil ? min(blockHeight, height - top) : blockHeight
                let rows = (top..<top + rowCount).map { row($0, left..<left + blockWidth) }
                return switch compression {
                case 5:
                    LZWBytes(hasLowBitsFirst: false, early: 1).compressed(rows.flatMap(\.self), clearingBehind: 4000)
                case 7:
                    // The encoder fails for no picture.
                    try! LibJPEGEncoder(sampling: [(1, 1)], quality: 97).encode(
                        Raster(width: blockWidth, height: rowCount, channels: 1, bytes: rows.flatMap(\.self)))
                case 32_773: rows.flatMap(Self.packed)
                default: rows.flatMap(\.self)
                }
            }
        }
    }

    private func row(_ y: Int, _ columns: Range<Int>) -> [UInt8] {
        var values = columns.flatMap { x in (0..<samplesPerPixel).map { sample(y, x, $0) & (1 << bits - 1) } }
        if predictor == 2 {
            for index in values.indices.dropFirst(samplesPerPixel).reversed() {
                values[index] -= values[index - samplesPerPixel]
            }
        }
        guard bits < 8 else { return values.flatMap { integer($0, bits / 8) } }
        return stride(from: 0, to: values.count, by: 8 / bits).map { start in
            (0..<8 / bits).reduce(UInt8(0)) { byte, step in
                byte << UInt8(bits) | (start + step < values.count ? UInt8(values[start + step]) : 0)
            }
        }
    }

    /// PackBits: runs of three equal bytes and more are counted.
    static func packed(_ row: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        var literal: [UInt8] = []
        func flush() {
            for start in stride(from: 0, to: literal.count, by: 128) {
                let part = literal[start..<min(start + 128, literal.count)]
                packed += [UInt8(part.count - 1)] + part
            }
            literal = []
        }
        var index = 0
        while index < row.count {
            let run = row[index...].prefix(128).prefix { $0 == row[index] }.count
            if run >= 3 {
                flush()
                packed += [UInt8(truncatingIfNeeded: 257 - run), row[index]]
            } else {
                literal += row[index..<index + run]
            }
            index += run
        }
        flush()
        // A byte that means nothing.
        return packed + [128]
    }

    func encoded() -> [UInt8] {
        let blocks = blocks
        let offsetWidth = isBigTIFF ? 8 : 4
        let start = isBigTIFF ? 16 : 8
        var place = start
        let places = blocks.map { block in
            defer { place += block.count }
            return place
        }
        var fields: [(tag: Int, width: Int, values: [Int])] = [
            (0x100, 2, [width]), (0x101, 2, [height]), (0x102, 2, Array(repeating: bits, count: samplesPerPixel)),
            (0x103, 2, [compression]), (0x106, 2, [photometric]), (0x115, 2, [samplesPerPixel]),
            (tile == nil ? 0x111 : 0x144, offsetWidth, places),
            (tile == nil ? 0x117 : 0x145, 4, blocks.map(\.count)),
        ]
        if let tile { fields += [(0x142, 2, [tile.width]), (0x143, 2, [tile.height])] }
        if tile == nil, let rowsPerStrip { fields.append((0x116, 4, [rowsPerStrip])) }
        if predictor != 1 { fields.append((0x13D, 2, [predictor])) }
        if !extraSamples.isEmpty { fields.append((0x152, 2, extraSamples)) }
        if !colorMap.isEmpty { fields.append((0x140, 2, colorMap)) }
        fields.sort { $0.tag < $1.tag }
        var file = blocks.flatMap { $0 }
        if file.count % 2 == 1 { file.append(0) }
        let directory = start + file.count
        let entrySize = isBigTIFF ? 20 : 12
        var behind = directory + (isBigTIFF ? 8 : 2) + entrySize * fields.count + offsetWidth
        var entries: [UInt8] = []
        var lists: [UInt8] = []
        for field in fields {
            var values = field.values.flatMap { integer($0, field.width) }
            entries += integer(field.tag, 2) + integer(field.width == 2 ? 3 : field.width == 4 ? 4 : 16, 2)
            entries += integer(field.values.count, offsetWidth)
            if values.count > offsetWidth {
                lists += values
                entries += integer(behind, offsetWidth)
                behind += values.count
            } else {
                values += Array(repeating: 0, count: offsetWidth - values.count)
                entries += values
            }
        }
        let mark: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        let header =
            isBigTIFF
            ? mark + integer(43, 2) + integer(8, 2) + integer(0, 2) + integer(directory, 8)
            : mark + integer(42, 2) + integer(directory, 4)
        return header + file + integer(fields.count, isBigTIFF ? 8 : 2) + entries + integer(0, offsetWidth) + lists
    }
}
