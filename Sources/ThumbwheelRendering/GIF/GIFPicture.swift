import ThumbwheelCore

/// The first picture of a GIF (GIF89a, 18 to 23): its place on the logical screen (the canvas of all pictures), its
/// colours, and the offset of its codes.
///
/// Later pictures are not read, so an animation of a hundred thousand pictures takes no longer than an animation of two
/// pictures.
struct GIFPicture {
    let size: PixelSize
    /// The picture's left edge: its first column on the logical screen. The logical screen is the canvas of all
    /// pictures.
    let left: Int
    let top: Int
    /// The size of the logical screen, which is the canvas of all pictures. A side may be 0, because some writers leave
    /// it out.
    let screen: PixelSize
    let isInterlaced: Bool
    /// The number of bits of a pixel's palette index.
    let symbolBits: Int
    /// The picture's own palette or, if it has none, the file's palette: a byte each of red, green and blue for each
    /// index. Empty if there is neither.
    let palette: [UInt8]
    /// The index of transparent pixels; nil if there is none.
    let transparentIndex: Int?
    /// The offset in the file at which the sub-blocks with the codes begin.
    let codesOffset: Int

    /// Reads the file up to the codes of the first picture. The index of transparent pixels is read from the control
    /// block before that picture. All other blocks before the picture are skipped.
    init(in source: any ByteSource, checking guardian: DecodeGuard) throws(RenderError) {
        var file = File(ByteWindow(source, checking: guardian))
        screen = PixelSize(width: try file.number(at: 6), height: try file.number(at: 8))
        let common = Self.paletteByteCount(try file.byte(at: 10))
        var position = 13 + common
        var transparentIndex: Int?
        while try file.byte(at: position) != 0x2C {
            switch try file.byte(at: position) {
            case 0x21:
                if try file.byte(at: position + 1) == 0xF9, try file.byte(at: position + 2) >= 4 {
                    let isTransparent = try file.byte(at: position + 3) & 1 == 1
                    transparentIndex = isTransparent ? Int(try file.byte(at: position + 6)) : nil
                }
                position += 2
                try file.skipSubblocks(from: &position)
            // Some writers leave padding of zeros between blocks.
            case 0x00: position += 1
            default: throw .malformed(reason: "a GIF without a picture")
            }
        }
        self.transparentIndex = transparentIndex
        left = try file.number(at: position + 1)
        top = try file.number(at: position + 3)
        let stated = PixelSize(width: try file.number(at: position + 5), height: try file.number(at: position + 7))
        // If the writer left out the picture's size, the size of the logical screen is used, as in browsers.
        size = stated.isEmpty ? screen : stated
        guard !size.isEmpty else { throw .malformed(reason: "an empty picture") }
        let flags = try file.byte(at: position + 9)
        isInterlaced = flags & 0x40 != 0
        let own = Self.paletteByteCount(flags)
        palette =
            own > 0
            ? try file.bytes(in: position + 10..<position + 10 + own) : try file.bytes(in: 13..<13 + common)
        position += 10 + own
        symbolBits = Int(try file.byte(at: position))
        guard 1...8 ~= symbolBits else { throw .malformed(reason: "indices of \(symbolBits) bits") }
        codesOffset = position + 1
    }

    /// The number of bytes of the colour table that a descriptor's flags announce.
    private static func paletteByteCount(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}

/// A file that is read byte by byte. A read beyond its end throws `.truncated`.
private struct File {
    private var window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    mutating func byte(at offset: Int) throws(RenderError) -> UInt8 {
        guard let byte = try window.byte(at: offset) else { throw .truncated(decodedFraction: 0) }
        return byte
    }

    mutating func number(at offset: Int) throws(RenderError) -> Int {
        Int(try byte(at: offset)) | Int(try byte(at: offset + 1)) << 8
    }

    mutating func bytes(in range: Range<Int>) throws(RenderError) -> [UInt8] {
        var bytes: [UInt8] = []
        for offset in range { bytes.append(try byte(at: offset)) }
        return bytes
    }

    mutating func skipSubblocks(from position: inout Int) throws(RenderError) {
        while true {
            let length = Int(try byte(at: position))
            position += 1 + length
            if length == 0 { return }
        }
    }
}
