import ThumbwheelCore

/// The first picture of a GIF: its place on the screen, and its end in the file.
///
/// libvips's reader of GIF looks through all pictures before it decodes one; only the first is ever shown, and an
/// animation of a hundred thousand must not cost more than one of two.
struct GIFFirstPicture {
    /// The picture's place on the screen.
    let columns: Range<Int>
    let rows: Range<Int>
    private var window: ByteWindow
    // The place in the file where the picture's codes begin.
    private let codes: Int

    /// Finds the picture's descriptor; nil if there is none among the first blocks.
    init?(in source: any ByteSource, checking guardian: DecodeGuard) throws(RenderError) {
        window = ByteWindow(source, checking: guardian)
        guard let flags = try window.byte(at: 10) else { return nil }
        var position = 13 + Self.paletteSize(flags)
        // Blocks in front of a picture: its control block, a comment, the loop count.
        for _ in 0..<64 {
            switch try window.byte(at: position) {
            case 0x21:
                position += 2
                guard try Self.skipSubblocks(&window, from: &position) else { return nil }
            case 0x2C:
                guard let flags = try window.byte(at: position + 9) else { return nil }
                columns = try Self.range(&window, start: position + 1, count: position + 5)
                rows = try Self.range(&window, start: position + 3, count: position + 7)
                // Descriptor, palette, code size; then the codes.
                codes = position + 10 + Self.paletteSize(flags) + 1
                return
            case 0x00: position += 1
            default: return nil
            }
        }
        return nil
    }

    /// The beginning of the file up to the picture's end, as a file of its own; nil if the end cannot be found.
    func file(in source: any ByteSource, checking guardian: DecodeGuard) throws(RenderError) -> MemoryByteSource? {
        var window = window
        var position = codes
        guard try Self.skipSubblocks(&window, from: &position) else { return nil }
        return MemoryByteSource(try source.bytes(to: position, checking: guardian) + [0x3B])
    }

    /// A range of columns or rows, from two numbers of two bytes each.
    private static func range(_ window: inout ByteWindow, start: Int, count: Int) throws(RenderError) -> Range<Int> {
        func number(at offset: Int) throws(RenderError) -> Int {
            Int(try window.byte(at: offset) ?? 0) | Int(try window.byte(at: offset + 1) ?? 0) << 8
        }
        let lower = try number(at: start)
        return lower..<lower + (try number(at: count))
    }

    private static func paletteSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// - Returns: whether they came to an end.
    private static func skipSubblocks(
        _ window: inout ByteWindow, from position: inout Int
    ) throws(RenderError) -> Bool {
        while let length = try window.byte(at: position) {
            position += 1 + Int(length)
            if length == 0 { return true }
        }
        return false
    }
}
