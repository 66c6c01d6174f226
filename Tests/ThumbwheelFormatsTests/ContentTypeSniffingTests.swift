import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct ContentTypeSniffingTests {
    @Test("the first bytes tell the type")
    func types() {
        let expected: [(ContentType?, [UInt8])] = [
            (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]), (.png, PNGBytes.signature), (.gif, .text("GIF87a")),
            (.webp, .text("RIFF....WEBPVP8 ")), (.tiff, .text("MM\0*")), (.tiff, .text("II+\0")),
            (.bmp, .text("BM") + .zeros(12) + [40, 0, 0, 0]), (.heif, HEIFBytes.box("ftyp", .text("mif1") + .zeros(4))),
            (.avif, HEIFBytes.box("ftyp", .text("mif1") + .zeros(4) + .text("miafavif"))),
            (.cr2, .text("II*\0....CR\u{2}\0")), (nil, .text("RIFF....WAVEfmt ")), (nil, .text("%PDF-1.7")), (nil, []),
        ]
        for (type, bytes) in expected {
            #expect(ContentType(sniffing: bytes) == type)
        }
    }

    @Test("a source is asked for its first bytes only")
    func source() throws {
        let source = CountingSource([0xFF, 0xD8, 0xFF] + .zeros(10_000))
        #expect(try ContentType(sniffing: source) == .jpeg)
        #expect(source.tally.total == ContentType.sniffedByteCount)
    }

    @Test("every type that bytes can tell has a file extension, but the one whose coding is unknown")
    func extensions() {
        for type in ContentType.known { #expect((type.filenameExtension != nil) == (type != .heif), "\(type)") }
    }
}
