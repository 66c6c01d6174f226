/// GIF89a with the fixed palette, still or animated.
enum GIFEncoder {
    /// All frames have the first one's size; `hundredths` of a second pass between them.
    static func encode(_ frames: [Raster], hundredths: Int = 20) -> [UInt8] {
        guard let first = frames.first else { return [] }
        var writer = ByteWriter(.littleEndian)
        writer.write("GIF89a")
        writer.write(UInt16(first.width))
        writer.write(UInt16(first.height))
        // A global table of 2^(7 + 1) colours.
        writer.write([0xF7, 0, 0])
        writer.write(Palette.colours)
        if frames.count > 1 {
            // Netscape's extension: repeat for ever.
            writer.write([0x21, 0xFF, 11])
            writer.write("NETSCAPE2.0")
            writer.write([3, 1, 0, 0, 0])
        }
        for frame in frames {
            if frames.count > 1 {
                // Disposal 1: leave the frame where it is.
                writer.write([0x21, 0xF9, 4, 1 << 2])
                writer.write(UInt16(hundredths))
                writer.write([0, 0])
            }
            writer.write(UInt8(0x2C))
            writer.write(UInt32(0))
            writer.write(UInt16(frame.width))
            writer.write(UInt16(frame.height))
            writer.write([0, 8])
            let codes = LZW.compressed(Palette.indices(frame).bytes)
            for start in stride(from: 0, to: codes.count, by: 255) {
                let block = codes[start..<min(start + 255, codes.count)]
                writer.write(UInt8(block.count))
                writer.write(block)
            }
            writer.write(UInt8(0))
        }
        writer.write(UInt8(0x3B))
        return writer.bytes
    }
}
