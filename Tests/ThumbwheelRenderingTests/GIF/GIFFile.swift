/// A GIF of one picture, as a test wants it.
struct GIFFile {
    var screen: (width: Int, height: Int)
    var picture: (left: Int, top: Int, width: Int, height: Int)
    /// The indices of the picture's pixels, row by row.
    var indices: [UInt8] = []
    var bits = 8
    var isInterlaced = false
    var transparentIndex: UInt8?
    /// Colours for the whole file; none for a file without.
    var palette: [UInt8]?
    var ownPalette: [UInt8]?
    var clearingBehind: Int? = 4093
    /// The codes' end: without an end code, and without the block behind the last.
    var hasEndCode = true

    /// A picture that covers its screen, of runs and noise.
    init(_ width: Int, _ height: Int, bits: Int = 8) {
        screen = (width, height)
        picture = (0, 0, width, height)
        self.bits = bits
        palette = Self.palette(bits: bits)
        var random = SplitMix(state: UInt64(width * 1000 + height))
        let mask = UInt64(1) << UInt64(bits) - 1
        while indices.count < width * height {
            let isRun = random.next() % 3 == 0
            let index = random.next() & mask
            for _ in 0..<random.next() % 60 { indices.append(UInt8(isRun ? index : random.next() & mask)) }
        }
        indices = Array(indices.prefix(width * height))
    }

    static func palette(bits: Int, _ step: Int = 37) -> [UInt8] {
        (0..<3 << bits).map { UInt8(truncatingIfNeeded: $0 * step + 40) }
    }

    /// Everything before the codes.
    var front: [UInt8] {
        func little(_ values: Int...) -> [UInt8] { values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
        func flags(_ palette: [UInt8]?) -> UInt8 {
            palette.map { 0x80 | UInt8(($0.count / 3).trailingZeroBitCount - 1) } ?? 0
        }
        var file = [UInt8]("GIF89a".utf8) + little(screen.width, screen.height) + [flags(palette), 0, 0]
        file += palette ?? []
        file += [0x21, 0xFE, 2, 65, 66, 0]
        if let transparentIndex { file += [0x21, 0xF9, 4, 1, 0, 0, transparentIndex, 0] }
        file += [0x2C] + little(picture.left, picture.top, picture.width, picture.height)
        return file + [flags(ownPalette) | (isInterlaced ? 0x40 : 0)] + (ownPalette ?? []) + [UInt8(bits)]
    }

    var codes: [UInt8] {
        let order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
            Array(stride(from: first, to: picture.height, by: step))
        }
        var stored = indices
        if isInterlaced, indices.count == picture.width * picture.height {
            stored = order.flatMap { indices[$0 * picture.width..<($0 + 1) * picture.width] }
        }
        let kind = LZWBytes(hasLowBitsFirst: true, symbolBits: bits, early: 0)
        return kind.compressed(stored, clearingBehind: clearingBehind, ends: hasEndCode)
    }

    func encoded(blocksOf length: Int = 255) -> [UInt8] { front + Self.blocks(codes, of: length) + [0x3B] }

    static func blocks(_ codes: [UInt8], of length: Int = 255) -> [UInt8] {
        stride(from: 0, to: codes.count, by: length).flatMap { start in
            let block = codes[start..<min(start + length, codes.count)]
            return [UInt8(block.count)] + block
        } + [0]
    }
}
