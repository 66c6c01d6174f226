import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Places in files") struct PlaceTests {
    typealias Field = (tag: Int, value: TIFFBytes.Value)

    /// An EXIF block with a GPS directory: 51° 30' 30" N, 0° 7' 30" W, 12.5 m below sea level, looking east by compass.
    static func block(isBigEndian: Bool = false, _ changes: [Field] = []) -> [UInt8] {
        var fields: [Int: TIFFBytes.Value] = [
            1: .text("N"), 2: .fractions([(51, 1), (30, 1), (3000, 100)]), 3: .text("W"),
            4: .fractions([(0, 1), (75, 10), (0, 1)]), 5: .byte(1), 6: .fractions([(25, 2)]),
            0x10: .text("M"), 0x11: .fractions([(90, 1)]),
        ]
        for (tag, value) in changes { fields[tag] = value }
        return TIFFBytes(
            isBigEndian: isBigEndian,
            directories: [
                [(0x0100, .short(4)), (0x0101, .short(3)), (0x8825, .directory(1))],
                fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            ]
        ).encoded()
    }

    static let place = Location(latitude: 51 + 30.5 / 60, longitude: -7.5 / 60, altitude: -12.5)

    static func isClose(_ location: Location?, _ other: Location) -> Bool {
        guard let location else { return false }
        return abs(location.latitude - other.latitude) < 1e-9 && abs(location.longitude - other.longitude) < 1e-9
            && location.altitude == other.altitude
    }

    static func jpeg(_ block: [UInt8]) -> [UInt8] {
        JPEGBytes.start + JPEGBytes.exif(block) + JPEGBytes.frame(6, 4)
    }

    static func facts(_ bytes: [UInt8], filename: String? = nil) throws -> PhotographFacts {
        try PhotographFacts(reading: MemoryByteSource(bytes), filename: filename)
    }

    static func webp(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
            .text(kind) + .little(payload.count, 4) + payload + .zeros(payload.count % 2)
        }
        let chunks = chunk("VP8X", [8, 0, 0, 0, 5, 0, 0, 3, 0, 0]) + chunk(kind, payload)
        return .text("RIFF") + .little(chunks.count + 4, 4) + .text("WEBP") + chunks
    }

    static let containers: [(name: String, file: @Sendable ([UInt8]) -> [UInt8])] = [
        ("JPEG", { jpeg($0) }),
        ("PNG", { PNGBytes.header(6, 4) + PNGBytes.chunk("eXIf", $0) + PNGBytes.chunk("IDAT", [0]) }),
        ("WebP", { webp("EXIF", $0) }),
        ("HEIF", { HEIFBytes(properties: [HEIFBytes.size(6, 4)], exif: $0).encoded() }),
        ("TIFF", { $0 }),
    ]

    @Test("EXIF's place and heading are read in every format", arguments: containers.map(\.name), [false, true])
    func formats(name: String, isBigEndian: Bool) throws {
        let container = try #require(Self.containers.first { $0.name == name })
        let facts = try Self.facts(container.file(Self.block(isBigEndian: isBigEndian)))
        #expect(Self.isClose(facts.location, Self.place))
        #expect(facts.heading == Heading(degrees: 90, isMagnetic: true))
    }

    @Test("sides may be in small letters; seconds may be missing or 0/0; 360 degrees are north")
    func variants() throws {
        let facts = try Self.facts(
            Self.jpeg(
                Self.block([
                    (1, .text("s")), (2, .fractions([(51, 1), (305, 10), (0, 0)])),
                    (4, .fractions([(0, 1), (75, 10)])),
                    (0x10, .text("T")), (0x11, .fractions([(360, 1)])),
                ])))
        var place = Self.place
        place.latitude = -place.latitude
        #expect(Self.isClose(facts.location, place))
        #expect(facts.heading == Heading(degrees: 0))
    }

    @Test(
        "an impossible place is dropped, whichever number makes it so",
        arguments: [
            (2, .fractions([(90, 1), (1, 60), (0, 1)])), (2, .fractions([(1, 0), (0, 1), (0, 1)])),
            (2, .fractions([(0, 0), (0, 0), (0, 0)])), (4, .fractions([(180, 1), (0, 1), (1, 100)])),
            (4, .fractions([(0xFFFF_FFFF, 1), (0xFFFF_FFFF, 1), (0xFFFF_FFFF, 1)])), (1, .text("")),
            (1, .text("X")), (3, .text("\0")), (2, .text("51.5")), (2, .fractions([])),
        ] as [Field])
    func impossible(field: Field) throws {
        #expect(try Self.facts(Self.jpeg(Self.block([field]))).location == nil)
    }

    @Test("zeros are no place, but the equator and Greenwich are")
    func zeros() throws {
        let zero = TIFFBytes.Value.fractions([(0, 1), (0, 1), (0, 1)])
        #expect(try Self.facts(Self.jpeg(Self.block([(2, zero), (4, zero)]))).location == nil)
        #expect(try Self.facts(Self.jpeg(Self.block([(2, zero)]))).location?.latitude == 0)
        #expect(try Self.facts(Self.jpeg(Self.block([(4, zero)]))).location?.longitude == 0)
    }

    @Test("an impossible altitude or heading alone is dropped")
    func otherNumbers() throws {
        for fraction in [(1, 0), (4_000_000_000, 1)] {
            let facts = try Self.facts(
                Self.jpeg(Self.block([(6, .fractions([fraction])), (0x11, .fractions([fraction]))])))
            #expect(facts.location != nil && facts.location?.altitude == nil)
            #expect(facts.heading == nil)
        }
    }

    @Test("the place in XMP counts where EXIF has none")
    func xmp() throws {
        let packet = """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description exif:GPSLatitude="51,30.5N"
             exif:GPSLongitude="0,7,30W"><exif:GPSAltitude> 25/2 </exif:GPSAltitude>
            <exif:GPSAltitudeRef>1</exif:GPSAltitudeRef><exif:GPSImgDirection>90/1</exif:GPSImgDirection>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        for file in XMPBytes.files(packet) {
            let facts = try Self.facts(file)
            #expect(Self.isClose(facts.location, Self.place))
            #expect(facts.heading == Heading(degrees: 90))
        }
        let both = JPEGBytes.start + JPEGBytes.exif(Self.block([(6, .fractions([(1, 1)]))]))
        #expect(try Self.facts(both + XMPBytes.segment(packet) + JPEGBytes.frame(6, 4)).location?.altitude == -1)
    }

    @Test(
        "an impossible place in XMP is none",
        arguments: ["", "N", "51,30.5", "51N", "91,0N", "-51,30N", "nan,0N", "51,x,0N", "51,30,30,30N", "51,30.5E"])
    func impossibleXMP(latitude: String) throws {
        let packet = "<rdf:Description exif:GPSLatitude='\(latitude)' exif:GPSLongitude='0,7.5W'/>"
        #expect(try Self.facts(XMPBytes.files(packet)[0]).location == nil)
    }
}
