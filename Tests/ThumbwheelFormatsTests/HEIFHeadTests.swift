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

    @Test("code points for colours are read, with and without a profile beside them", arguments: [false, true])
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

    @Test("premultiplied alpha is distinguished from other alpha", arguments: [false, true])
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

    /// A grid of two tiles, with the given properties on the grid and on the tiles.
    private func grid(
        brands: [String] = ["heic", "mif1"], tileKind: String = "hvc1", gridKind: String = "grid",
        onTiles: [[UInt8]] = [], onGrid: [[UInt8]] = []
    ) -> HEIFLists {
        HEIFLists(
            brands: brands, kinds: [(1, gridKind), (2, tileKind), (3, tileKind)],
            properties: [HEIFBytes.size(64, 48), HEIFBytes.size(32, 48)] + onTiles + onGrid,
            associations: [
                (1, [1] + onGrid.indices.map { 3 + onTiles.count + $0 }), (2, [2] + onTiles.indices.map { 3 + $0 }),
                (3, [2]),
            ], references: [("dimg", 1, [2, 3])])
    }

    private static let profiles = ["A", "B"].map {
        HEIFBytes.box("colr", .text("prof") + ICCBytes.versionTwo(name: $0))
    }

    @Test("a grid without colours of its own takes its first tile's colours and depth")
    func coloursOfTiles() throws {
        let numbers = HEIFBytes.box("colr", .text("nclx") + .big(12, 2) + .big(13, 2) + .big(6, 2) + [0])
        let depth = HEIFBytes.box("hvcC", .zeros(16) + [0xFF, 0xFA] + .zeros(5))
        let head = try head(grid(onTiles: [Self.profiles[0], numbers, depth]).encoded())
        #expect(head.storedSize == PixelSize(width: 64, height: 48))
        #expect(head.profile?.name == "A" && head.codedColor?.primaries == 12 && head.bitsPerChannel == 10)
        #expect(head.heif == HEIFCoding(tileSize: PixelSize(width: 32, height: 48), hasFullChroma: true))
    }

    @Test("a grid's own profile counts before its tiles'")
    func ownColours() throws {
        let whole = try head(grid(onTiles: [Self.profiles[0]], onGrid: [Self.profiles[1]]).encoded())
        #expect(whole.profile?.name == "B" && whole.bitsPerChannel == 8)
        let single = try head(HEIFBytes(properties: [HEIFBytes.size(4, 3), Self.profiles[0]]).encoded())
        #expect(single.heif == HEIFCoding())
    }

    @Test("a damaged property of a tile leaves the head alone")
    func damagedTile() throws {
        let head = try head(grid(onTiles: [HEIFBytes.box("hvcC", [1])]).encoded())
        #expect(head.storedSize == PixelSize(width: 64, height: 48))
    }

    @Test(
        "where the brands are silent a derived picture is of its parts' type",
        arguments: [("grid", "hvc1", ContentType.heic), ("iden", "av01", .avif), ("iovl", "hvc1", .heic)])
    func kindOfParts(gridKind: String, tileKind: String, type: ContentType) throws {
        #expect(try head(grid(brands: ["mif1"], tileKind: tileKind, gridKind: gridKind).encoded()).contentType == type)
        // The picture is derived from a derived item, and then from itself.
        var file = grid(brands: ["mif1"], tileKind: tileKind, gridKind: gridKind)
        file.kinds[1].kind = "iden"
        file.references.append(("dimg", 2, [3]))
        #expect(try head(file.encoded()).contentType == type)
        file.references[1].to = [1]
        #expect(throws: HeadError.self) { try head(file.encoded()) }
    }

    @Test("an EXIF block that describes several items counts for the picture", arguments: [false, true])
    func sharedDescription(hasWideReferences: Bool) throws {
        let exif = [UInt8].big(0, 4) + TIFFBytes.exif()
        var file = grid()
        file.hasWideReferences = hasWideReferences
        file.kinds += [(4, "Exif"), (5, "Exif")]
        file.references.append(("cdsc", 5, [2, 3, 1]))
        file.locations = [(4, 0..<1), (5, 0..<1)]
        let start = file.encoded().count
        file.locations[1].place = start..<start + exif.count
        #expect(try head(file.encoded() + exif).captureDate?.year == 2008)
    }
}
