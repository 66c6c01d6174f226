import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct WebPHeadTests {
    private func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        .text(kind) + .little(payload.count, 4) + payload + .zeros(payload.count % 2)
    }

    private func file(_ chunks: [UInt8]) -> [UInt8] {
        .text("RIFF") + .little(chunks.count + 4, 4) + .text("WEBP") + chunks
    }

    private func extended(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + .little(width - 1, 3) + .little(height - 1, 3))
    }

    @Test("a lossy picture's size is in its key frame")
    func lossy() throws {
        let bytes = file(chunk("VP8 ", [0x10, 0, 0, 0x9D, 1, 0x2A] + .little(320, 2) + .little(240, 2) + .zeros(9)))
        let head = try head(bytes)
        #expect(head.contentType == .webp)
        #expect(head.storedSize == PixelSize(width: 320, height: 240))
        #expect(!head.hasAlpha && !head.isLossless)
    }

    @Test("a lossless picture's size and alpha are in its first bits")
    func lossless() throws {
        let bits = (400 - 1) | (301 - 1) << 14 | 1 << 28
        let head = try head(file(chunk("VP8L", [0x2F] + .little(bits, 4) + .zeros(6))))
        #expect(head.storedSize == PixelSize(width: 400, height: 301))
        #expect(head.hasAlpha && head.isLossless)
    }

    @Test("whether a picture is lossless follows from its own chunk, also in an animation")
    func codings() throws {
        let (lossy, lossless) = (chunk("VP8 ", .zeros(12)), chunk("VP8L", .zeros(6)))
        func isLossless(_ chunks: [UInt8], flags: UInt8 = 0x10) throws -> Bool {
            try head(file(extended(flags, 40, 30) + chunks)).isLossless
        }
        #expect(try isLossless(lossless))
        #expect(try !isLossless(chunk("ALPH", .zeros(3)) + lossy + lossless))
        #expect(try isLossless(chunk("ANMF", .zeros(16) + lossless) + chunk("ANMF", .zeros(16) + lossy), flags: 2))
        #expect(try !isLossless(chunk("ANMF", .zeros(16) + lossy) + chunk("ANMF", .zeros(16) + lossless), flags: 2))
    }

    @Test("an extended file tells of profile, EXIF, alpha and frames")
    func extendedFile() throws {
        let bytes = file(
            extended(0x3A, 1000, 20) + chunk("ICCP", ICCBytes.versionTwo(name: "Odd name"))
                + chunk("ANIM", .zeros(6)) + chunk("ANMF", .zeros(17)) + chunk("ANMF", .zeros(16))
                + chunk("EXIF", TIFFBytes.exif(orientation: 5)))
        let head = try head(bytes)
        #expect(head.storedSize == PixelSize(width: 1000, height: 20))
        #expect(head.hasAlpha)
        #expect(head.frameCount == 2)
        #expect(head.orientation == .leftMirrored)
        #expect(head.captureDate?.millisecond == 450)
        #expect(head.profile?.withoutSize == EmbeddedProfile(name: "Odd name", colorSpace: "RGB"))
    }

    @Test("EXIF that begins as in a JPEG is understood")
    func prefixedEXIF() throws {
        let exif: [UInt8] = .text("Exif\0\0") + TIFFBytes.exif(orientation: 3)
        #expect(try head(file(extended(8, 4, 4) + chunk("EXIF", exif))).orientation == .down)
    }

    @Test("a canvas beyond the format's bound and an unknown first chunk are refused")
    func contradictions() {
        #expect(headError(file(extended(0, 1 << 24, 1 << 24)))?.isMalformed == true)
        #expect(headError(file(chunk("IDIT", .zeros(10))))?.isMalformed == true)
        #expect(headError(file(chunk("VP8 ", [1]))) == .truncated)
    }
}
