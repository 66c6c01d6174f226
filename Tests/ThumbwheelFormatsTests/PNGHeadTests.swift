import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct PNGHeadTests {
    @Test(
        "colour type and depth give channels and alpha",
        arguments: [
            (8, 2, false, 8), (16, 6, true, 16), (16, 4, true, 16), (1, 0, false, 1), (4, 3, false, 8),
        ] as [(UInt8, UInt8, Bool, Int)])
    func header(depth: UInt8, colorType: UInt8, hasAlpha: Bool, bitsPerChannel: Int) throws {
        let file = PNGBytes.header(70, 50, depth: depth, colorType: colorType) + PNGBytes.chunk("IDAT", [1])
        let head = try head(file)
        #expect(head.contentType == .png)
        #expect(head.storedSize == PixelSize(width: 70, height: 50))
        #expect(head.hasAlpha == hasAlpha)
        #expect(head.bitsPerChannel == bitsPerChannel)
    }

    @Test("chunks in front of the pixels: profile name, transparency, frames, EXIF")
    func chunks() throws {
        let file =
            PNGBytes.header(7, 5) + PNGBytes.chunk("iCCP", .text("Display P3\0\0") + .zeros(30))
            + PNGBytes.chunk("tRNS", .zeros(6)) + PNGBytes.chunk("acTL", .big(12, 4) + .zeros(4))
            + PNGBytes.chunk("eXIf", TIFFBytes.exif(orientation: 8)) + PNGBytes.chunk("IDAT", .zeros(40))
        let head = try head(file + PNGBytes.chunk("IEND"))
        #expect(head.profile?.withoutSize == EmbeddedProfile(name: "Display P3", colorSpace: "RGB"))
        #expect(head.hasAlpha)
        #expect(head.frameCount == 12)
        #expect(head.orientation == .left)
        #expect(head.captureDate?.year == 2008)
        #expect(head.preview == nil)
    }

    @Test("code points for colours are read; with a matrix, or after the pixels, they do not count")
    func codedColor() throws {
        let header = PNGBytes.header(7, 5)
        let pixels = PNGBytes.chunk("IDAT", .zeros(4))
        let color = CodingIndependentColor(primaries: 9, transfer: 16, matrix: 0, isFullRange: true)
        #expect(try head(header + PNGBytes.chunk("cICP", [9, 16, 0, 1]) + pixels).codedColor == color)
        #expect(try head(header + PNGBytes.chunk("cICP", [9, 16, 9, 1]) + pixels).codedColor == nil)
        #expect(try head(header + PNGBytes.chunk("cICP", [9, 16, 0]) + pixels).codedColor == nil)
        #expect(try head(header + pixels + PNGBytes.chunk("cICP", [9, 16, 0, 1])).codedColor == nil)
    }

    @Test("EXIF behind the pixels is found, however many bytes lie between")
    func trailingEXIF() throws {
        let pixels = PNGBytes.chunk("IDAT", .zeros(1_000_000)) + PNGBytes.chunk("IDAT", .zeros(2_000_000))
        let source = CountingSource(PNGBytes.header(7, 5) + pixels + PNGBytes.chunk("eXIf", TIFFBytes.exif()))
        #expect(try ImageHead(reading: source).orientation == .right)
        #expect(source.tally.total < 65_536)
    }

    @Test("a file that ends inside its pixels has a head; one that ends before them has none")
    func cut() throws {
        let file = PNGBytes.header(7, 5) + PNGBytes.chunk("IDAT", .zeros(40))
        #expect(try head([UInt8](file.dropLast(30))).storedSize == PixelSize(width: 7, height: 5))
        #expect(headError([UInt8](file.prefix(20))) == .truncated)
    }

    @Test("an empty size and a depth that its colour type does not have are refused")
    func contradictions() {
        #expect(headError(PNGBytes.header(0, 5))?.isMalformed == true)
        #expect(headError(PNGBytes.header(5, -1))?.isMalformed == true)
        #expect(headError(PNGBytes.header(5, 5, depth: 4, colorType: 2))?.isMalformed == true)
    }
}
