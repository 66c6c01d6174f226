import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Kinds of pictures") struct PictureKindTests {
    typealias Field = (tag: Int, value: TIFFBytes.Value)

    /// A JPEG by a maker, with fields in EXIF's own directory.
    private func photograph(
        by maker: String = "Apple", _ fields: [Field], width: Int = 400, height: Int = 300
    ) -> [UInt8] {
        let block = TIFFBytes(directories: [[(0x010F, .text(maker)), (0x8769, .directory(1))], fields]).encoded()
        return JPEGBytes.start + JPEGBytes.exif(block) + JPEGBytes.frame(width, height)
    }

    /// Apple's maker note with some fields.
    static func note(_ fields: [Field]) -> TIFFBytes.Value {
        // A directory begins eight bytes into a TIFF structure and fourteen into the note, so six bytes make them alike.
        var directory = TIFFBytes(isBigEndian: true, directories: [fields]).encoded()
        directory.removeFirst(8)
        let header = [UInt8].text("Apple iOS\0") + [0, 1] + .text("MM")
        // Offsets count from the note's beginning: the long values are moved by six bytes.
        var bytes = header + directory
        for index in fields.indices {
            let entry = 14 + 2 + 12 * index
            let count = bytes[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
            guard bytes[entry + 3] == 2, count > 4 else { continue }
            let offset = bytes[entry + 8..<entry + 12].reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange(entry + 8..<entry + 12, with: [UInt8].big(offset + 6, 4))
        }
        return .undefined(bytes)
    }

    private func kinds(_ file: [UInt8], named name: String? = nil) throws -> Set<PictureKind> {
        Set(try PlaceTests.facts(file, filename: name).kinds.keys)
    }

    @Test(
        "Apple's numbers of CustomRendered tell kinds; another maker's do not",
        arguments: [
            (2, [.highDynamicRange]), (3, [.highDynamicRange]), (4, []), (6, [.panorama]),
            (7, [.highDynamicRange, .portrait]), (8, [.portrait]), (1, []),
        ] as [(Int, Set<PictureKind>)])
    func customRendering(number: Int, expected: Set<PictureKind>) throws {
        #expect(try kinds(photograph([(0xA401, .short(number))])) == expected)
        #expect(try kinds(photograph(by: "Canon", [(0xA401, .short(number))])).isEmpty)
    }

    @Test("Apple's maker note tells HDR, portraits, bursts and Live Photos")
    func makerNote() throws {
        let note = Self.note([
            (0x000A, .long(3)), (0x000B, .text("4F3A-BURST")), (0x0011, .text("8C7B-LIVE")), (0x0014, .long(2)),
        ])
        let facts = try PlaceTests.facts(photograph([(0x927C, note)]))
        #expect(Set(facts.kinds.keys) == [.highDynamicRange, .portrait])
        #expect(facts.burstIdentifier == "4F3A-BURST")
        #expect(facts.contentIdentifier == "8C7B-LIVE")
        let other = try PlaceTests.facts(photograph(by: "Canon", [(0x927C, note)]))
        #expect(other.kinds.isEmpty && other.burstIdentifier == nil && other.contentIdentifier == nil)
        let original = Self.note([(0x000A, .long(4)), (0x0011, .text("not\u{7}printable")), (0x0014, .long(10))])
        let plain = try PlaceTests.facts(photograph([(0x927C, original)]))
        #expect(plain.kinds.isEmpty && plain.contentIdentifier == nil)
    }

    @Test("the front camera makes self-portraits, and a second or more a long exposure")
    func camera() throws {
        let front = photograph([
            (0x829A, .fractions([(3, 2)])), (0xA434, .text("iPhone 12 front TrueDepth camera 2.71mm f/2.2")),
        ])
        #expect(try kinds(front) == [.selfPortrait, .longExposure])
        let back = photograph([
            (0x829A, .fractions([(99, 100)])), (0xA434, .text("iPhone 12 back dual wide camera 4.2mm f/1.6")),
        ])
        #expect(try kinds(back).isEmpty)
        #expect(try kinds(photograph([(0x829A, .fractions([(1, 0)]))])).isEmpty)
    }

    @Test("screenshots show by comment, by name, or as PNGs of a screen's size without a camera")
    func screenshots() throws {
        let comment = TIFFBytes.Value.undefined(.text("ASCII\0\0\0Screenshot"))
        #expect(try kinds(photograph([(0x9286, comment)])) == [.screenshot])
        let packet =
            "<exif:UserComment><rdf:Alt><rdf:li xml:lang='x-default'>Screenshot</rdf:li></rdf:Alt></exif:UserComment>"
        for file in XMPBytes.files(packet) { #expect(try kinds(file) == [.screenshot]) }
        let plain = photograph([])
        #expect(try kinds(plain, named: "Screenshot_20230102-030405.jpg") == [.screenshot])
        #expect(try kinds(plain, named: "Screen Shot 2019-01-02 at 03.04.05.png") == [.screenshot])
        #expect(try kinds(plain, named: "screen.jpg").isEmpty)
        func png(_ width: Int, _ height: Int) -> [UInt8] {
            PNGBytes.header(width, height) + PNGBytes.chunk("IDAT", [0])
        }
        #expect(try kinds(png(1170, 2532)) == [.screenshot])
        #expect(try kinds(png(2532, 1170)) == [.screenshot])
        #expect(try kinds(png(1170, 2531)).isEmpty)
        #expect(try kinds(photograph([], width: 1170, height: 2532)).isEmpty)
        for (width, height) in [(2048, 1536), (2732, 2048), (1668, 2388), (1366, 768), (3024, 1964), (5120, 2880)] {
            #expect(try kinds(png(width, height)) == [.screenshot], "\(width) × \(height)")
        }
        for (width, height) in [(1280, 720), (1920, 1080), (2560, 1440), (3840, 2160), (1024, 768)] {
            #expect(try kinds(png(width, height)).isEmpty, "\(width) × \(height)")
        }
        let camera = PNGBytes.chunk("eXIf", TIFFBytes(directories: [[(0x010F, .text("Apple"))]]).encoded())
        #expect(try kinds(PNGBytes.header(1170, 2532) + camera + PNGBytes.chunk("IDAT", [0])).isEmpty)
    }

    @Test(
        "screenshots show by the program that wrote them, in a PNG's texts and in EXIF",
        arguments: [
            ("gnome-screenshot", true), ("Snipping Tool", true), ("Greenshot", true), ("GIMP 2.10", false),
            ("17.1.2", false),
        ])
    func screenshotPrograms(software: String, isScreenshot: Bool) throws {
        let expected: Set<PictureKind> = isScreenshot ? [.screenshot] : []
        let text = PNGBytes.chunk("tEXt", .text("Software\0" + software))
        #expect(try kinds(PNGBytes.header(640, 480) + text + PNGBytes.chunk("IDAT", [0])) == expected)
        let block = TIFFBytes(directories: [[(0x0131, .text(software))]]).encoded()
        #expect(try kinds(JPEGBytes.start + JPEGBytes.exif(block) + JPEGBytes.frame(640, 480)) == expected)
        let other = PNGBytes.chunk("tEXt", .text("Comment\0" + software))
        #expect(try kinds(PNGBytes.header(640, 480) + other + PNGBytes.chunk("IDAT", [0])).isEmpty)
    }

    @Test("panoramas show by XMP, by the multi-picture index, or by a phone's very wide picture")
    func panoramas() throws {
        for file in XMPBytes.files("<rdf:Description GPano:ProjectionType='cylindrical'/>") {
            #expect(try kinds(file) == [.panorama])
        }
        #expect(try kinds(photograph(by: "samsung", [], width: 9000, height: 3000)) == [.panorama])
        #expect(try kinds(photograph(by: "Google", [], width: 1300, height: 4100)) == [.panorama])
        #expect(try kinds(photograph(by: "Google", [], width: 4000, height: 1000)).isEmpty)
        #expect(try kinds(photograph(by: "Google", [], width: 8999, height: 3000)).isEmpty)
        #expect(try kinds(photograph(by: "NIKON", [], width: 9000, height: 3000)).isEmpty)
        #expect(try kinds(multiPicture(type: 0x02_0001, [0xFF, 0xD8, 0xFF, 0xD9, 0])) == [.panorama])
    }

    /// A JPEG with another picture behind it, of a type in the multi-picture index.
    private func multiPicture(type: Int, _ picture: [UInt8]) -> [UInt8] {
        func file(offset: Int) -> [UInt8] {
            let entry: [UInt8] = .big(type, 4) + .big(picture.count, 4) + .big(offset, 4) + .zeros(4)
            let index = TIFFBytes(isBigEndian: true, directories: [[(0xB002, .undefined(.zeros(16) + entry))]])
                .encoded()
            return JPEGBytes.start + JPEGBytes.segment(0xE2, .text("MPF\0") + index) + JPEGBytes.frame(6, 4)
                + JPEGBytes.scan
        }
        // The segment's payload begins ten bytes into the file.
        return file(offset: file(offset: 0).count - 10) + picture
    }

    @Test("gain maps make HDR: in HEIF items, in XMP, in the pictures behind a JPEG, in segments")
    func gainMaps() throws {
        for packet in ["<rdf:Description hdrgm:Version='1.0'/>", "<Container:Item Item:Semantic='GainMap'/>"] {
            for file in XMPBytes.files(packet) { #expect(try kinds(file) == [.highDynamicRange]) }
        }
        let urn = "urn:com:apple:photo:2020:aux:hdrgainmap"
        let inner = JPEGBytes.start + XMPBytes.segment("<apdi:AuxiliaryImageType>\(urn)</apdi:AuxiliaryImageType>")
        #expect(try kinds(multiPicture(type: 0, inner + JPEGBytes.frame(6, 4))) == [.highDynamicRange])
        #expect(try kinds(multiPicture(type: 1, inner + JPEGBytes.frame(6, 4))).isEmpty)
        var heif = HEIFBytes(properties: [HEIFBytes.size(6, 4)], hasAlpha: true, auxiliaryKind: urn)
        #expect(try kinds(heif.encoded()) == [.highDynamicRange])
        heif = HEIFBytes(properties: [HEIFBytes.size(6, 4)], loneKind: "tmap")
        #expect(try kinds(heif.encoded()) == [.highDynamicRange])
        let segment = JPEGBytes.segment(0xE2, .text("urn:iso:std:iso:ts:21496:-1\0") + .zeros(4))
        #expect(try kinds(JPEGBytes.start + segment + JPEGBytes.frame(6, 4)) == [.highDynamicRange])
    }

    @Test("PQ and HLG make HDR, other transfers do not", arguments: [(16, true), (18, true), (13, false), (1, false)])
    func transfers(code: Int, isHDR: Bool) throws {
        let color = HEIFBytes.box("colr", .text("nclx") + .big(9, 2) + .big(code, 2) + .big(9, 2) + [0])
        let file = HEIFBytes(properties: [HEIFBytes.size(6, 4), color]).encoded()
        #expect(try kinds(file) == (isHDR ? [.highDynamicRange] : []))
    }

    @Test("maps of distances make depth, and mattes portraits")
    func depth() throws {
        func heif(_ kind: String) -> [UInt8] {
            HEIFBytes(properties: [HEIFBytes.size(6, 4)], hasAlpha: true, auxiliaryKind: kind).encoded()
        }
        #expect(try kinds(heif("urn:mpeg:hevc:2015:auxid:2")) == [.depth])
        #expect(try kinds(heif("urn:mpeg:mpegB:cicp:systems:auxiliary:depth")) == [.depth])
        #expect(try kinds(heif("urn:com:apple:photo:2018:aux:portraiteffectsmatte")) == [.portrait])
        #expect(try kinds(heif("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")).isEmpty)
        for file in XMPBytes.files("<rdf:Description GDepth:Format='RangeInverse'/>") {
            #expect(try kinds(file) == [.depth])
        }
        let inner = JPEGBytes.start + XMPBytes.segment("<apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType>")
        #expect(try kinds(multiPicture(type: 0, inner + JPEGBytes.frame(6, 4))) == [.depth])
    }

    @Test("several frames of a format for animations make it animated")
    func animated() throws {
        func png(_ frames: Int) -> [UInt8] {
            PNGBytes.header(6, 4) + PNGBytes.chunk("acTL", .big(frames, 4) + .zeros(4)) + PNGBytes.chunk("IDAT", [0])
        }
        #expect(try kinds(png(2)) == [.animated])
        #expect(try kinds(png(1)).isEmpty)
    }

    @Test("XMP tells a burst and its representative")
    func burst() throws {
        for primary in [0, 1] {
            let packet = "<rdf:Description GCamera:BurstID='abc-1' GCamera:BurstPrimary='\(primary)'/>"
            for file in XMPBytes.files(packet) {
                let facts = try PlaceTests.facts(file)
                #expect(facts.burstIdentifier == "abc-1")
                #expect(facts.representsBurst == (primary == 1))
            }
        }
    }
}
