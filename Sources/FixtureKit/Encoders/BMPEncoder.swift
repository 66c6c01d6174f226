/// Windows bitmaps of 24 bits: bottom row first, rows padded to four bytes.
enum BMPEncoder {
    static func encode(_ raster: Raster) -> [UInt8] {
        precondition(raster.channels == 3, "only RGB is written")
        let rowBytes = (raster.width * 3 + 3) / 4 * 4
        var writer = ByteWriter(.littleEndian)
        writer.write("BM")
        writer.write(UInt32(54 + rowBytes * raster.height))
        writer.write(UInt32(0))
        writer.write(UInt32(54))
        writer.write(UInt32(40))
        writer.write(UInt32(raster.width))
        writer.write(UInt32(raster.height))
        writer.write(UInt16(1))
        writer.write(UInt16(24))
        for field in [0, UInt32(rowBytes * raster.height), 2835, 2835, 0, 0] { writer.write(field) }
        var bytes = writer.bytes
        bytes.reserveCapacity(54 + rowBytes * raster.height)
        let padding = repeatElement(UInt8(0), count: rowBytes - raster.width * 3)
        for y in stride(from: raster.height - 1, through: 0, by: -1) {
            for x in 0..<raster.width {
                let first = (y * raster.width + x) * 3
                bytes.append(raster.bytes[first + 2])
                bytes.append(raster.bytes[first + 1])
                bytes.append(raster.bytes[first])
            }
            bytes.append(contentsOf: padding)
        }
        return bytes
    }
}
