import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct HEIFHeadTests {
    @Test("a turned picture has its upright size, and EXIF turns it no further", arguments: [0, 1, 2, 3])
    func rotation(quarters: Int) throws {
        let file = HEIFBytes(
            properties: [HEIFBytes.size(40, 30), HEIFBytes.box("irot", [UInt8(quarters)])],
            exif: TIFFBytes.exif(orientation: 6))
        let head = try head(file.encoded())
        let size = PixelSize(width: 40, height: 30)
        #expect(head.contentType == .heic)
        #expect(head.storedSize == (quarters % 2 == 1 ? size.transposed : size))
        #expect(head.orientation == .up)
        #expect(head.captureDate?.day == 30)
        #expect(head.exifColorSpace == .adobeRGB)
    }

    @Test("a clean aperture is cut out before the turn")
    func cleanAperture() throws {
        let aperture: [UInt8] = .big(39, 4) + .big(2, 4) + .big(10, 4) + .big(1, 4) + .zeros(16)
        let file = HEIFBytes(properties: [
            HEIFBytes.size(40, 30), HEIFBytes.box("clap", aperture), HEIFBytes.box("irot", [1]),
        ])
        #expect(try head(file.encoded()).storedSize == PixelSize(width: 10, height: 20))
    }

    @Test("profile, depth and alpha of an AVIF")
    func properties() throws {
        let file = HEIFBytes(
            majorBrand: "avif", itemKind: "av01",
            properties: [
                HEIFBytes.size(4, 3), HEIFBytes.fullBox("pixi", [3, 10, 10, 10]),
                HEIFBytes.box("colr", .text("prof") + ICCBytes.versionTwo(name: "P3")),
            ], hasAlpha: true)
        let head = try head(file.encoded())
        #expect(head.contentType == .avif)
        #expect(head.bitsPerChannel == 10)
        #expect(head.hasAlpha)
        #expect(head.profile?.withoutSize == EmbeddedProfile(name: "P3", colorSpace: "RGB"))
    }

    @Test("colours that are told in numbers, beside a profile and alone", arguments: [false, true])
    func codedColor(hasProfile: Bool) throws {
        var properties = [
            HEIFBytes.size(4, 3),
            HEIFBytes.box("colr", .text("nclx") + .big(12, 2) + .big(13, 2) + .big(6, 2) + [0x80]),
        ]
        if hasProfile {
            properties.append(HEIFBytes.box("colr", .text("prof") + ICCBytes.versionTwo(name: "P3")))
        }
        let head = try head(HEIFBytes(properties: properties).encoded())
        #expect(
            head.codedColor == CodingIndependentColor(primaries: 12, transfer: 13, matrix: 6, isFullRange: true))
        #expect((head.profile != nil) == hasProfile)
    }

    @Test("alpha that colours were multiplied with is told from other alpha", arguments: [false, true])
    func premultiplied(isPremultiplied: Bool) throws {
        let file = HEIFBytes(properties: [HEIFBytes.size(4, 3)], hasAlpha: true, isPremultiplied: isPremultiplied)
        let head = try head(file.encoded())
        #expect(head.hasAlpha)
        #expect(head.hasPremultipliedAlpha == isPremultiplied)
    }

    @Test("where the brands are silent the item's kind tells the type")
    func kindOfItem() throws {
        let file = HEIFBytes(majorBrand: "mif1", itemKind: "av01", properties: [HEIFBytes.size(4, 3)])
        #expect(try head(file.encoded()).contentType == .avif)
    }

    @Test("a film in the same container is no image")
    func film() {
        let bytes = HEIFBytes.box("ftyp", .text("isom") + .zeros(4) + .text("mp41")) + .zeros(100)
        #expect(headError(bytes) == .unknownType)
    }

    @Test("a picture without a size or without a description is refused")
    func contradictions() {
        #expect(headError(HEIFBytes(properties: [HEIFBytes.size(0, 3)]).encoded())?.isMalformed == true)
        #expect(headError(HEIFBytes.box("ftyp", .text("heic") + .zeros(4)))?.isMalformed == true)
    }
}
