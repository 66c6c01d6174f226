import ThumbwheelCore

/// The beginning of an animation up to its first picture, as a file of its own.
///
/// libvips's reader of GIF looks through all pictures before it decodes one; only the first is ever shown, and an
/// animation of a hundred thousand must not cost more than one of two.
enum GIFFirstPicture {
    /// - Returns: nil where the first picture's end cannot be found.
    static func file(in source: any ByteSource) throws(RenderError) -> MemoryByteSource? {
        var window = ByteWindow(source)
        guard let flags = try window.byte(at: 10) else { return nil }
        var position = 13 + paletteSize(flags)
        // Blocks in front of a picture: its control block, a comment, the loop count.
        for _ in 0..<64 {
            switch try window.byte(at: position) {
            case 0x21:
                position += 2
                guard try skipSubblocks(&window, from: &position) else { return nil }
            case 0x2C:
                guard let flags = try window.byte(at: position + 9) else { return nil }
                // Descriptor, palette, code size; then the codes.
                position += 10 + paletteSize(flags) + 1
                guard try skipSubblocks(&window, from: &position) else { return nil }
                do throws(ByteSourceError) {
                    return MemoryByteSource(try source.bytes(in: 0..<position) + [0x3B])
                } catch {
                    throw .source(error)
                }
            case 0x00: position += 1
            default: return nil
            }
        }
        return nil
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
