/// Parts of files of each format, to be strung together. Checksums and lengths are right, because some decoders look.
enum Containers {
    // JPEG

    static let jpegStart: [UInt8] = [0xFF, 0xD8]
    static let jpegEnd: [UInt8] = [0xFF, 0xD9]

    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker] + .big(payload.count + 2, 2) + payload
    }

    static func frame(_ marker: UInt8, width: Int, height: Int, components: Int) -> [UInt8] {
        var payload: [UInt8] = [8] + .big(height, 2) + .big(width, 2) + [UInt8(components)]
        for component in 1...components { payload += [UInt8(component), 0x11, 0] }
        return segment(marker, payload)
    }

    /// A quantisation table of ones, and Huffman tables with the one code `0`, for category 0 or the end of a block.
    static let jpegTables: [UInt8] = {
        let code: [UInt8] = [1] + .zeros(16)
        let quantization: [UInt8] = [0] + [UInt8](repeating: 1, count: 64)
        return segment(0xDB, quantization) + segment(0xC4, [0x00] + code) + segment(0xC4, [0x10] + code)
    }()

    /// A scan of the first component, with a few bits of data.
    static func scan(from start: UInt8, to end: UInt8, approximation: UInt8 = 0) -> [UInt8] {
        segment(0xDA, [1, 1, 0, start, end, approximation]) + .zeros(2)
    }

    // PNG

    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        let named = [UInt8].text(kind) + payload
        return .big(payload.count, 4) + named + .big(Int(crc32(named)), 4)
    }

    static func pngHeader(width: Int, height: Int) -> [UInt8] {
        pngSignature + chunk("IHDR", .big(width, 4) + .big(height, 4) + [8, 0, 0, 0, 0])
    }

    /// The end of a grey PNG of one pixel.
    static let pngPixel =
        chunk("IDAT", [0x78, 0x01, 0x01, 2, 0, 0xFD, 0xFF, 0, 0x80, 0, 0x82, 0, 0x81]) + chunk("IEND", [])

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crc, byte in crcTable[Int((crc ^ UInt32(byte)) & 255)] ^ crc >> 8 }
    }

    // WebP

    static func riffChunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        .text(kind) + .little(payload.count, 4) + payload + .zeros(payload.count % 2)
    }

    static func webp(_ chunks: [UInt8], byteCount: Int? = nil) -> [UInt8] {
        let length = (byteCount ?? chunks.count) + 4
        return .text("RIFF") + .little(length, 4) + .text("WEBP") + chunks
    }

    static func webpCanvas(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
        riffChunk("VP8X", [flags, 0, 0, 0] + .little(width - 1, 3) + .little(height - 1, 3))
    }

    /// A picture of one pixel, losslessly coded: five tables of a single symbol each.
    static let webpPixel = riffChunk("VP8L", [0x2F, 0, 0, 0, 0, 0x88, 0x88, 0x08])

    // GIF

    static func gifScreen(width: Int, height: Int) -> [UInt8] {
        let front: [UInt8] = .text("GIF89a") + .little(width, 2) + .little(height, 2)
        return front + [0x80, 0, 0, 10, 200, 30, 0, 0, 0]
    }

    /// A picture of one pixel.
    static let gifPicture: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]

    // TIFF

    /// A directory of numbers, each in four bytes, and the offset of the next one.
    static func directory(_ entries: [(tag: Int, value: Int)], next: Int) -> [UInt8] {
        var bytes: [UInt8] = .little(entries.count, 2)
        for entry in entries {
            bytes += .little(entry.tag, 2) + .little(4, 2)
            bytes += .little(1, 4) + .little(entry.value, 4)
        }
        return bytes + .little(next, 4)
    }

    static let tiffStart: [UInt8] = .text("II*\0") + .little(8, 4)

    // ISO media

    static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        .big(payload.count + 8, 4) + .text(kind) + payload
    }

    static func fullBox(_ kind: String, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        box(kind, [version, 0, 0, 0] + payload)
    }

    /// A HEIF file of one picture that has these properties and no data.
    static func heif(_ properties: [[UInt8]], extra: [UInt8] = []) -> [UInt8] {
        let kind = fullBox("infe", version: 2, .big(1, 2) + [0, 0] + .text("hvc1") + [0])
        var associations: [UInt8] = .big(1, 4) + .big(1, 2)
        associations += [UInt8(properties.count)] + (1...properties.count).map { UInt8($0) }
        let container = box("ipco", properties.flatMap { $0 })
        var location: [UInt8] = [0x44, 0] + .big(1, 2) + .big(1, 2)
        location += .big(0, 2) + .big(1, 2) + .big(40, 4) + .big(8, 4)
        var parts = fullBox("pitm", .big(1, 2))
        parts += fullBox("iinf", .big(1, 2) + kind)
        parts += box("iprp", container + fullBox("ipma", associations))
        parts += fullBox("iloc", location)
        return box("ftyp", .text("heic") + .zeros(4) + .text("mif1")) + fullBox("meta", parts + extra)
    }

    static func heifSize(_ width: Int, _ height: Int) -> [UInt8] {
        fullBox("ispe", .big(width, 4) + .big(height, 4))
    }
}
