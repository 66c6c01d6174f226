import ThumbwheelCore

/// The layout of a Windows or OS/2 bitmap's pixels, as the file's header describes it ("Bitmap Storage", Windows GDI;
/// OS/2 1.x and 2.x).
struct BMPLayout {
    enum Coding {
        /// Uncompressed rows, each padded to a multiple of four bytes.
        case plain
        /// Run-length coding: pairs of a count and a palette index. With 4 bits per pixel, a pair is a count and two
        /// palette indices that alternate.
        case runs
    }

    let size: PixelSize
    let bitsPerPixel: Int
    let coding: Coding
    let isTopDown: Bool
    /// The offset in the file at which the pixels begin, in bytes.
    let pixelOffset: Int
    /// The palette, with three bytes (red, green and blue) for each possible index. Indices that the file does not
    /// define are black. Empty if a pixel has more than 8 bits.
    private(set) var palette: [UInt8] = []
    /// The bit masks of red, green, blue and, if the file has one, alpha. Empty unless a pixel has 16 or 32 bits.
    private(set) var channelMasks: [BMPChannelMask] = []
    /// The range of bytes of an embedded ICC profile in the file; nil if there is none.
    let profileRange: Range<Int>?

    var hasAlpha: Bool { channelMasks.count == 4 }
    /// The number of bytes of an uncompressed row, including its padding.
    var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

    /// The largest number of bytes that the header, the masks and the palette take together.
    private static let frontLimit = 14 + 124 + 16 + 1024

    init(_ source: any ByteSource) throws(RenderError) {
        let front: [UInt8]
        do throws(ByteSourceError) {
            front = try source.bytes(in: 0..<Self.frontLimit)
        } catch {
            throw .source(error)
        }
        // Reads a little-endian integer of `width` bytes at an offset of `front`, the bytes at the start of the file.
        // Bytes beyond `front` count as zero: a palette that is cut short is filled up with black. Missing pixels are
        // no concern here, because they are detected when rows are read.
        func integer(_ offset: Int, _ width: Int) -> Int {
            (0..<width).reduce(0) { $0 | Int(offset + $1 < front.count ? front[offset + $1] : 0) << (8 * $1) }
        }
        let headerSize = integer(14, 4)
        let isCore = headerSize == 12
        let height = isCore ? integer(20, 2) : Int(Int32(truncatingIfNeeded: integer(22, 4)))
        let width = isCore ? integer(18, 2) : Int(Int32(truncatingIfNeeded: integer(18, 4)))
        bitsPerPixel = integer(isCore ? 24 : 28, 2)
        let compression = headerSize >= 20 ? integer(30, 4) : 0
        guard width > 0, height != 0, height > Int(Int32.min) else {
            throw .malformed(reason: "a bitmap of \(width)x\(height)")
        }
        size = PixelSize(width: width, height: abs(height))
        isTopDown = height < 0
        // The headers of OS/2 have fewer than 40 bytes, or 64. In these headers, compression 3 means Huffman codes, and
        // 4 means run-length coding of 24-bit pixels.
        let isOS2 = headerSize < 40 || headerSize == 64
        switch (compression, bitsPerPixel) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): coding = .plain
        case (1, 8) where !isTopDown, (2, 4) where !isTopDown: coding = .runs
        case (3, 16), (3, 32), (6, 16), (6, 32):
            guard !isOS2 else { throw .unsupportedFormat }
            coding = .plain
        default: throw .unsupportedFormat
        }

        var paletteStart = 14 + headerSize
        let hasMasks = compression == 3 || compression == 6
        // If the header has 40 bytes, the channel masks lie between the header and the palette. Longer headers contain
        // the masks.
        if hasMasks, headerSize == 40 { paletteStart += compression == 6 ? 16 : 12 }
        let entrySize = isCore ? 3 : 4
        var colorCount = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0
        if headerSize >= 36, integer(46, 4) > 0 { colorCount = min(colorCount, integer(46, 4)) }
        let declaredOffset = integer(10, 4)
        // A palette may have fewer colours than its bit depth allows, even if the header does not say so. The palette
        // then ends where the pixels start, so the offset of the pixels limits the number of colours.
        if declaredOffset > paletteStart {
            colorCount = min(colorCount, (declaredOffset - paletteStart) / entrySize)
        }
        pixelOffset = declaredOffset >= 14 + headerSize ? declaredOffset : paletteStart + colorCount * entrySize
        profileRange = Self.profileRange(headerSize, integer)
        if bitsPerPixel <= 8 {
            palette = Array(repeating: 0, count: 3 << bitsPerPixel)
            for index in 0..<colorCount {
                for channel in 0..<3 {
                    palette[index * 3 + channel] = UInt8(integer(paletteStart + index * entrySize + 2 - channel, 1))
                }
            }
        } else if bitsPerPixel != 24 {
            var masks = bitsPerPixel == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0xFF]
            if hasMasks { masks = (0..<3).map { integer(54 + 4 * $0, 4) } }
            let hasAlphaField = headerSize >= 56 && !isOS2 || compression == 6
            if hasAlphaField, integer(66, 4) != 0 { masks.append(integer(66, 4)) }
            channelMasks = masks.map { BMPChannelMask($0) }
        }
    }

    private static func profileRange(_ headerSize: Int, _ integer: (Int, Int) -> Int) -> Range<Int>? {
        // Only a header of 124 bytes can refer to an embedded profile, which the code "MBED" marks.
        guard headerSize == 124, integer(70, 4) == 0x4D42_4544 else { return nil }
        let start = 14 + integer(126, 4)
        let count = integer(130, 4)
        return (128...4 << 20).contains(count) ? start..<start + count : nil
    }
}
