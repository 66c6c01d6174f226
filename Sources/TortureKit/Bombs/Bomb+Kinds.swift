import Thumbwheel

extension Bomb {
    /// Files of which nothing is large but the size that they declare.
    static var hugeSizes: [Bomb] {
        let side = 65_500
        let code = "pixelLimitExceeded"
        let tiff = Containers.directory([(0x100, side), (0x101, side), (0x106, 1), (0x111, 8), (0x117, 8)], next: 0)
        var bmp: [UInt8] = .text("BM") + .little(54, 4) + .zeros(4) + .little(54, 4)
        bmp += .little(40, 4) + .little(side, 4) + .little(side, 4)
        bmp += .little(1, 2) + .little(24, 2) + .zeros(24)
        return [
            Bomb(
                "JPEG of 65 500 × 65 500",
                Containers.jpegStart + Containers.jpegTables
                    + Containers.frame(0xC0, width: side, height: side, components: 1)
                    + Containers.scan(from: 0, to: 63),
                endsWith: code),
            Bomb(
                "PNG of 65 500 × 65 500", Containers.pngHeader(width: side, height: side) + Containers.pngPixel,
                endsWith: code),
            Bomb(
                "WebP of 65 500 × 65 500",
                Containers.webp(Containers.webpCanvas(side, side, flags: 0) + Containers.webpPixel), endsWith: code),
            Bomb(
                "GIF of 65 500 × 65 500",
                Containers.gifScreen(width: side, height: side) + Containers.gifPicture + [0x3B], endsWith: code),
            Bomb("TIFF of 65 500 × 65 500", Containers.tiffStart + tiff, endsWith: code),
            Bomb("BMP of 65 500 × 65 500", bmp, endsWith: code),
            Bomb("HEIC of 65 500 × 65 500", Containers.heif([Containers.heifSize(side, side)]), endsWith: code),
        ]
    }

    /// JPEGs of thousands of scans, for both decoders.
    static var manyScans: [Bomb] {
        func file(_ marker: UInt8, components: Int, _ scan: [UInt8]) -> [UInt8] {
            let frame = Containers.frame(marker, width: 64, height: 64, components: components)
            return Containers.jpegStart + Containers.jpegTables + frame + .repeated(5000, scan) + Containers.jpegEnd
        }
        let band = Containers.scan(from: 1, to: 1)
        return [
            Bomb("JPEG of 5 000 progressive scans", file(0xC2, components: 1, band), endsWith: "malformed"),
            Bomb(
                "JPEG of 5 000 progressive scans with bits to come",
                file(0xC2, components: 1, Containers.scan(from: 0, to: 0, approximation: 1)), endsWith: "malformed"),
            Bomb("JPEG of 5 000 progressive scans in inks", file(0xC2, components: 4, band), endsWith: "malformed"),
            Bomb(
                "JPEG of 5 000 sequential scans", file(0xC0, components: 3, Containers.scan(from: 0, to: 63)),
                endsWith: "malformed"),
            Bomb(
                "JPEG of 5 000 arithmetic scans", file(0xC9, components: 1, Containers.scan(from: 0, to: 63)),
                endsWith: "malformed"),
        ]
    }

    /// Files of eighty thousand segments, chunks or boxes.
    static var manyParts: [Bomb] {
        let count = 80_000
        let segments = [UInt8].repeated(count, Containers.segment(0xE5, .zeros(90)))
        let frame = Containers.frame(0xC0, width: 8, height: 8, components: 1)
        let scan = Containers.scan(from: 0, to: 63) + Containers.jpegEnd
        let start = Containers.jpegStart + Containers.jpegTables
        let inks = Containers.frame(0xC0, width: 8, height: 8, components: 4)
        let progressive = Containers.frame(0xC2, width: 8, height: 8, components: 1)
        return [
            Bomb("JPEG of 80 000 segments", start + segments + frame + scan, endsWith: "malformed"),
            Bomb("JPEG of 80 000 segments behind its frame", start + frame + segments + scan, endsWith: "malformed"),
            Bomb(
                "JPEG of 80 000 segments behind a frame of inks", start + inks + segments + scan, endsWith: "malformed"),
            Bomb(
                "JPEG of 80 000 segments between its scans",
                start + progressive + Containers.scan(from: 0, to: 0, approximation: 1) + segments
                    + Containers.scan(from: 1, to: 63) + Containers.jpegEnd, endsWith: "malformed"),
            Bomb(
                "PNG of 80 000 texts",
                Containers.pngHeader(width: 1, height: 1)
                    + .repeated(count, Containers.chunk("tEXt", .text("a\0b"))) + Containers.pngPixel,
                endsWith: "malformed"),
            Bomb(
                "WebP of 80 000 chunks",
                Containers.webp(
                    Containers.webpCanvas(1, 1, flags: 0) + .repeated(count, Containers.riffChunk("XXXX", .zeros(2)))
                        + Containers.webpPixel), endsWith: "malformed"),
            Bomb(
                "HEIC of 80 000 boxes",
                Containers.heif([Containers.heifSize(8, 8)], extra: .repeated(count, Containers.box("free", []))),
                endsWith: "malformed"),
        ]
    }

    /// Profiles of a hundred megabytes.
    static var largeProfiles: [Bomb] {
        let count = 100 << 20
        let pngFront = Containers.pngHeader(width: 1, height: 1)
        let webpFront: [UInt8] = Containers.webpCanvas(1, 1, flags: 0x20) + .text("ICCP") + .little(count, 4)
        let pages: [(tag: Int, value: Int)] = [(0x100, 8), (0x101, 8), (0x106, 1), (0x111, 8), (0x117, 8)]
        var tiff: [UInt8] = Containers.tiffStart + .little(pages.count + 1, 2)
        tiff += Containers.directory(pages, next: 0).dropFirst(2).dropLast(4)
        tiff += .little(0x8773, 2) + .little(7, 2) + .little(count, 4)
        tiff += .little(200, 4) + .little(0, 4)
        let payload: [UInt8] = .text("ICC_PROFILE\0") + [1, 255] + .zeros(65_500)
        let chunk = Containers.segment(0xE2, payload)
        let frame = Containers.frame(0xC0, width: 8, height: 8, components: 1)
        return [
            Bomb(
                "PNG with a profile of 100 MB", pngFront + .big(count, 4) + .text("iCCPbig\0\0"),
                byteCount: pngFront.count + count + 12, endsWith: "truncated"),
            Bomb(
                "WebP with a profile of 100 MB", Containers.webp(webpFront, byteCount: webpFront.count + count),
                byteCount: 12 + webpFront.count + count, endsWith: "malformed"),
            Bomb("TIFF with a profile of 100 MB", tiff, byteCount: 200 + count, endsWith: "malformed"),
            Bomb(
                "JPEG with a profile of 16 MB",
                Containers.jpegStart + .repeated(255, chunk) + Containers.jpegTables + frame
                    + Containers.scan(from: 0, to: 63), endsWith: nil),
            Bomb(
                "PNG with a profile that unfolds to 100 MB",
                pngFront + Containers.chunk("iCCP", .text("big\0\0") + unfolding(to: count)) + Containers.pngPixel,
                endsWith: nil),
            Bomb(
                "PNG with a profile that unfolds to 30 MB",
                pngFront + Containers.chunk("iCCP", .text("big\0\0") + unfolding(to: 30 << 20)) + Containers.pngPixel,
                endsWith: nil),
        ]
    }

    /// A zlib stream (RFC 1950, 1951) of so many zeros, give or take a few.
    private static func unfolding(to count: Int) -> [UInt8] {
        var bits: [UInt8] = []
        var byte = UInt8(0)
        var filled = 0
        func put(_ code: Int, _ width: Int) {
            for place in (0..<width).reversed() {
                byte |= UInt8(code >> place & 1) << UInt8(filled)
                filled += 1
                if filled == 8 {
                    bits.append(byte)
                    (byte, filled) = (0, 0)
                }
            }
        }
        // The last block, with the fixed codes; a zero; then "258 bytes from one byte back" again and again.
        put(0b110, 3)
        put(0b0011_0000, 8)
        for _ in 0..<count / 258 {
            put(0b1100_0101, 8)
            put(0, 5)
        }
        put(0, 7)
        return [0x78, 0x01] + bits + [byte] + .zeros(4)
    }

    /// Animations and documents of a hundred thousand pictures.
    static var manyFrames: [Bomb] {
        let count = 100_000
        let code = "frameLimitExceeded"
        let page: [(tag: Int, value: Int)] = [(0x100, 1), (0x101, 1), (0x106, 1), (0x111, 0), (0x117, 1)]
        let pageByteCount = Containers.directory(page, next: 0).count
        let pages = (0..<60_000).flatMap { Containers.directory(page, next: 8 + ($0 + 1) * pageByteCount) }
        let frame = Containers.riffChunk("ANMF", .zeros(16) + Containers.webpPixel)
        return [
            Bomb(
                "GIF of 100 000 frames",
                Containers.gifScreen(width: 1, height: 1) + .repeated(count, Containers.gifPicture) + [0x3B],
                endsWith: code),
            Bomb(
                "WebP of 100 000 frames",
                Containers.webp(
                    Containers.webpCanvas(1, 1, flags: 2) + Containers.riffChunk("ANIM", .zeros(6))
                        + .repeated(count, frame)), endsWith: code),
            Bomb(
                "PNG of 100 000 frames",
                Containers.pngHeader(width: 1, height: 1) + Containers.chunk("acTL", .big(count, 4) + .big(0, 4))
                    + Containers.pngPixel, endsWith: code),
            Bomb("TIFF of 60 000 pages", Containers.tiffStart + pages, endsWith: code),
        ]
    }

    /// EXIF directories that point to themselves, as the next one and as their own.
    static var circles: [Bomb] {
        let circle =
            Containers.tiffStart + Containers.directory([(0x8769, 8), (0x8825, 8), (0xA005, 8), (0x14A, 8)], next: 8)
        let frame = Containers.frame(0xC0, width: 8, height: 8, components: 1)
        let arithmetic = Containers.frame(0xC9, width: 8, height: 8, components: 1)
        let front = Containers.jpegStart + Containers.segment(0xE1, .text("Exif\0\0") + circle) + Containers.jpegTables
        let page: [(tag: Int, value: Int)] = [
            (0x100, 8), (0x101, 8), (0x106, 1), (0x111, 8), (0x117, 8), (0x14A, 8), (0x8769, 8),
        ]
        return [
            Bomb(
                "JPEG whose EXIF points to itself",
                front + frame + Containers.scan(from: 0, to: 63) + Containers.jpegEnd, endsWith: nil),
            Bomb(
                "arithmetic JPEG whose EXIF points to itself",
                front + arithmetic + Containers.scan(from: 0, to: 63) + Containers.jpegEnd, endsWith: nil),
            Bomb(
                "PNG whose EXIF points to itself",
                Containers.pngHeader(width: 1, height: 1) + Containers.chunk("eXIf", circle) + Containers.pngPixel,
                endsWith: nil),
            Bomb(
                "WebP whose EXIF points to itself",
                Containers.webp(
                    Containers.webpCanvas(1, 1, flags: 8) + Containers.webpPixel
                        + Containers.riffChunk("EXIF", circle)), endsWith: nil),
            Bomb(
                "TIFF that points to itself", Containers.tiffStart + Containers.directory(page, next: 8), endsWith: nil),
        ]
    }
}
