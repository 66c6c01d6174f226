/// PNG without compression (RFC 1951 stored blocks): for pictures so small that exactness on every machine is worth
/// more than their size. Larger ones go through `VipsEncoder`.
enum PNGEncoder {
    enum ColourType: UInt8 {
        case rgb = 2
        case palette = 3
    }

    static func encode(_ raster: Raster, as type: ColourType) -> [UInt8] {
        var header = ByteWriter(.bigEndian)
        header.write(UInt32(raster.width))
        header.write(UInt32(raster.height))
        header.write([8, type.rawValue, 0, 0, 0])
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", header.bytes)
        if type == .palette { file += chunk("PLTE", Palette.colours) }
        let rowBytes = raster.width * raster.channels
        var rows: [UInt8] = []
        for y in 0..<raster.height {
            rows.append(0)
            rows += raster.bytes[y * rowBytes..<(y + 1) * rowBytes]
        }
        file += chunk("IDAT", zlibStored(rows))
        return file + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(.bigEndian)
        writer.write(UInt32(data.count))
        writer.write(type)
        writer.write(data)
        writer.write(Checksum.crc32(writer.bytes[4...]))
        return writer.bytes
    }

    private static func zlibStored(_ data: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(.littleEndian)
        writer.write([0x78, 0x01])
        for start in stride(from: 0, to: data.count, by: 65_535) {
            let block = data[start..<min(start + 65_535, data.count)]
            writer.write(UInt8(block.endIndex == data.count ? 1 : 0))
            writer.write(UInt16(block.count))
            writer.write(~UInt16(block.count))
            writer.write(block)
        }
        var checksum = ByteWriter(.bigEndian)
        checksum.write(Checksum.adler32(data))
        return writer.bytes + checksum.bytes
    }
}
