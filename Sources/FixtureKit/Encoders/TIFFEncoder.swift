/// Uncompressed RGB TIFF in strips of 16 rows (TIFF 6.0, section 6).
enum TIFFEncoder {
    static func encode(_ raster: Raster, order: ByteOrder, orientation: Int = 1) -> [UInt8] {
        precondition(raster.channels == 3, "only RGB is written")
        let rowsPerStrip = 16
        let stripCount = (raster.height + rowsPerStrip - 1) / rowsPerStrip
        let rowBytes = raster.width * 3
        var directory = TIFFDirectory()
        directory[0x0100] = .longs([UInt32(raster.width)])
        directory[0x0101] = .longs([UInt32(raster.height)])
        directory[0x0102] = .shorts([8, 8, 8])
        directory[0x0103] = .shorts([1])
        directory[0x0106] = .shorts([2])
        directory[0x0112] = .shorts([UInt16(orientation)])
        directory[0x0115] = .shorts([3])
        directory[0x0116] = .shorts([UInt16(rowsPerStrip)])
        directory[0x0117] = .longs(
            (0..<stripCount).map { strip in
                UInt32(min(rowsPerStrip, raster.height - strip * rowsPerStrip) * rowBytes)
            })
        directory[0x011A] = .rationals([(72, 1)])
        directory[0x011B] = .rationals([(72, 1)])
        directory[0x011C] = .shorts([1])
        directory[0x0128] = .shorts([2])
        // The offsets' values do not change the directory's size, so a first guess tells where the pixels begin.
        directory[0x0111] = .longs(Array(repeating: 0, count: stripCount))
        let pixels = 8 + directory.byteCount(order)
        directory[0x0111] = .longs((0..<stripCount).map { UInt32(pixels + $0 * rowsPerStrip * rowBytes) })
        return TIFFDirectory.header(order) + directory.encoded(at: 8, next: 0, order: order) + raster.bytes
    }
}
