/// Writes PNG files of every type of colour, depth and filter, interlaced or not. Its samples are numbers that follow from
/// their place.
struct PNGFile {
    var width = 1
    var height = 1
    var depth = 8
    var colorType = 2
    var isInterlaced = false
    /// The filter type of a row, by its number.
    var filter: (Int) -> Int = { _ in 0 }
    var palette: [UInt8] = []
    var transparency: [UInt8]?
    var sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int = { x, y, channel in
        (x &* 2654 &+ y &* 40_503 &+ channel &* 9176 &+ x &* y &* 31) >> 2
    }
    var pack: ([UInt8]) -> [UInt8] = PNGChunks.compressed
    /// Bytes of a data chunk.
    var dataByteCount = Int.max

    /// All types and depths that there are.
    static let kinds: [(colorType: Int, depth: Int)] = [
        (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16),
        (6, 8), (6, 16),
    ]

    var channels: Int { [1, 0, 3, 1, 2, 0, 4][colorType] }
    private var bytesPerPixel: Int { max(1, channels * depth / 8) }

    var header: [UInt8] {
        Profiles.big(width, 4) + Profiles.big(height, 4) + [UInt8(depth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    }

    func encoded() -> [UInt8] { front + data(pack(scanlines)) + PNGChunks.chunk("IEND", []) }

    /// All chunks before the pixels.
    var front: [UInt8] {
        var file = PNGChunks.signature + PNGChunks.chunk("IHDR", header)
        if !palette.isEmpty { file += PNGChunks.chunk("PLTE", palette) }
        if let transparency { file += PNGChunks.chunk("tRNS", transparency) }
        return file
    }

    func data(_ stream: [UInt8]) -> [UInt8] {
        stride(from: 0, to: stream.count, by: min(dataByteCount, stream.count)).flatMap { start in
            PNGChunks.chunk("IDAT", Array(stream[start..<min(stream.count, start + min(dataByteCount, stream.count))]))
        }
    }

    /// Filtered rows of the picture, or of all its passes.
    var scanlines: [UInt8] {
        guard isInterlaced else { return rows(left: 0, top: 0, across: 1, down: 1) }
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return passes.flatMap { rows(left: $0.0, top: $0.1, across: $0.2, down: $0.3) }
    }

    private func rows(left: Int, top: Int, across: Int, down: Int) -> [UInt8] {
        guard left < width else { return [] }
        var bytes: [UInt8] = []
        var above: [UInt8]?
        for (number, y) in stride(from: top, to: height, by: down).enumerated() {
            let row = packed(stride(from: left, to: width, by: across).map { $0 }, y)
            let type = filter(number)
            bytes.append(UInt8(type))
            bytes += filtered(row, above ?? Array(repeating: 0, count: row.count), type)
            above = row
        }
        return bytes
    }

    private func packed(_ columns: [Int], _ y: Int) -> [UInt8] {
        let mask = 1 << depth - 1
        let values = columns.flatMap { x in (0..<channels).map { sample(x, y, $0) & mask } }
        if depth == 16 { return values.flatMap { Profiles.big($0, 2) } }
        let perByte = 8 / depth
        return stride(from: 0, to: values.count, by: perByte).map { start in
            (0..<perByte).reduce(UInt8(0)) { byte, index in
                let value = start + index < values.count ? values[start + index] : 0
                return byte | UInt8(value << (8 - depth * (index + 1)))
            }
        }
    }

    private func filtered(_ row: [UInt8], _ above: [UInt8], _ type: Int) -> [UInt8] {
        row.indices.map { index in
            let hasLeft = index >= bytesPerPixel
            let a = hasLeft ? Int(row[index - bytesPerPixel]) : 0
            let b = Int(above[index])
            let c = hasLeft ? Int(above[index - bytesPerPixel]) : 0
            let (pa, pb, pc) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
            let nearest = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
            let predicted = [0, a, b, (a + b) / 2, nearest, 0, 0, 0][type & 7]
            return UInt8(truncatingIfNeeded: Int(row[index]) - predicted)
        }
    }
}
