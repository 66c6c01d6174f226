import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Previews that heads tell of")
struct EmbeddedPreviewTests {
    /// A JPEG that is nothing but headers.
    static func jpeg(_ width: Int, _ height: Int, marker: UInt8 = 0xC0, precision: Int = 8) -> [UInt8] {
        JPEGBytes.start + JPEGBytes.frame(width, height, marker: marker, precision: precision) + JPEGBytes.scan
            + JPEGBytes.end
    }

    /// An APP2 segment with an index of pictures: type, offset from the index and length of each.
    static func index(_ pictures: [(type: Int, offset: Int, count: Int)]) -> [UInt8] {
        let entries: [UInt8] = pictures.flatMap {
            [UInt8].little($0.type, 4) + .little($0.count, 4) + .little($0.offset, 4) + .zeros(4)
        }
        let structure = TIFFBytes(directories: [
            [(0xB000, .undefined(.text("0100"))), (0xB001, .long(pictures.count)), (0xB002, .undefined(entries))]
        ])
        return JPEGBytes.segment(0xE2, .text("MPF\0") + structure.encoded())
    }

    @Test("the monitor-size pictures of a multi-picture file are previews, its other pictures are not")
    func multiPicture() throws {
        let front = JPEGBytes.start
        let inner = Self.jpeg(1920, 1440)
        func file(_ offset: Int) -> [UInt8] {
            front
                + Self.index([
                    (0x20_030000, 0, 500), (0x01_0002, offset, inner.count), (0x02_0002, offset, inner.count),
                    (0x01_0001, 1 << 30, 10), (0x0701_0001, offset, inner.count),
                ])
                + JPEGBytes.frame(4000, 3000) + JPEGBytes.scan
        }
        // Offsets count from behind "MPF" and its zero.
        let photograph = file(0).count
        let head = try head(file(photograph - 10) + inner)
        let preview = try #require(head.previews.first)
        #expect(head.previews.count == 1 && preview.kind == .multiPicture)
        #expect(preview.byteRange.lowerBound == photograph - 10 + 10 && preview.byteRange.count == inner.count)
    }

    @Test("a damaged index of pictures leaves the head alone")
    func damagedIndex() throws {
        let index = Self.index([(0x01_0001, 300, 100)])
        for cut in 8..<index.count {
            var damaged = Array(index[..<cut])
            damaged.replaceSubrange(2..<4, with: [UInt8].big(cut - 2, 2))
            let bytes = JPEGBytes.start + damaged + JPEGBytes.frame(40, 30) + JPEGBytes.scan
            #expect(try head(bytes).storedSize == PixelSize(width: 40, height: 30))
        }
    }

    @Test("a preview in EXIF tells its size; its own EXIF is not followed")
    func sizes() throws {
        let nested = JPEGBytes.start + JPEGBytes.exif(TIFFBytes.exif()) + JPEGBytes.frame(160, 120) + JPEGBytes.scan
        let bytes =
            JPEGBytes.start + JPEGBytes.exif(TIFFBytes.exif(preview: nested)) + JPEGBytes.frame(400, 300)
            + JPEGBytes.scan
        let head = try head(bytes)
        #expect(head.previews.map(\.pixelSize) == [PixelSize(width: 160, height: 120)])
    }

    /// A RAW file: a small picture in its first directory, a large one and the sensor's lossless JPEG below it.
    static func raw(make: String, isDNG: Bool = false, isBigEndian: Bool = false) -> [UInt8] {
        let small = jpeg(160, 120)
        let large = jpeg(3000, 2000)
        let sensor = jpeg(3008, 2008, marker: 0xC3, precision: 14)
        var main: [(tag: Int, value: TIFFBytes.Value)] = [
            (0x00FE, .long(1)), (0x0100, .long(160)), (0x0101, .long(120)), (0x010F, .text(make)),
            (0x0112, .short(8)), (0x014A, .directory(1)),
        ]
        if isDNG { main.append((0xC612, .undefined([1, 4, 0, 0]))) }
        return TIFFBytes(
            isBigEndian: isBigEndian,
            directories: [
                main,
                [
                    (0x00FE, .long(0)), (0x0100, .long(3008)), (0x0101, .long(2008)), (0x0103, .short(7)),
                    (0x0106, .short(32_803)), (0x0111, .trailerPlace(small.count + large.count)),
                    (0x0117, .long(sensor.count)),
                ],
                [(0x0201, .trailer), (0x0202, .long(small.count))],
                [
                    (0x00FE, .long(1)), (0x0103, .short(6)), (0x0111, .trailerPlace(small.count)),
                    (0x0117, .long(large.count)),
                ],
            ],
            chain: [0: 2, 2: 3, 3: 0], trailer: small + large + sensor
        ).encoded()
    }

    @Test(
        "the picture of a RAW file is its largest JPEG that is not the sensor's",
        arguments: [
            ("NIKON CORPORATION", false, ContentType.nef), ("SONY", false, .arw), ("Leica", true, .dng),
        ])
    func raw(make: String, isDNG: Bool, type: ContentType) throws {
        for isBigEndian in [false, true] {
            let head = try head(Self.raw(make: make, isDNG: isDNG, isBigEndian: isBigEndian))
            #expect(head.contentType == type && type.isRAW)
            #expect(head.storedSize == PixelSize(width: 3000, height: 2000))
            #expect(head.displaySize == PixelSize(width: 2000, height: 3000))
            #expect(head.jpeg?.process == .baseline && head.frameCount == 1)
            #expect(head.previews.map(\.pixelSize?.width) == [160, 3000])
            #expect(head.previews.allSatisfy { $0.kind == .raw })
        }
    }

    @Test("Canon's RAW files show it in their first bytes")
    func canon() throws {
        var bytes = TIFFBytes(
            directories: [[(0x0100, .long(5184)), (0x0101, .long(3456)), (0x0103, .short(6)), (0x0111, .trailer)]],
            trailer: Self.jpeg(5184, 3456)
        ).encoded()
        // Eight bytes of header more than a plain TIFF would have.
        bytes.replaceSubrange(4..<8, with: [UInt8].little(16, 4) + .text("CR") + [2, 0] + .zeros(4))
        #expect(ContentType(sniffing: bytes) == .cr2)
    }

    @Test("an ordinary TIFF's reduced pages are previews, its others are not")
    func tiff() throws {
        let small = Self.jpeg(160, 120)
        for subfileType in [0, 1] {
            let head = try head(
                TIFFBytes(
                    directories: [
                        [(0x0100, .long(400)), (0x0101, .long(300))],
                        [
                            (0x00FE, .long(subfileType)), (0x0103, .short(7)), (0x0111, .trailer),
                            (0x0117, .long(small.count)),
                        ],
                    ], chain: [0: 1], trailer: small
                ).encoded())
            #expect(head.contentType == .tiff && head.previews.count == subfileType)
        }
    }

    /// Two pages, each with a reduced picture below it and another behind it.
    @Test("only the first page's reduced pictures in a TIFF are previews")
    func pages() throws {
        let small = (1...4).map { Self.jpeg(40 * $0, 30 * $0) }
        let starts = small.indices.map { index in small[..<index].reduce(0) { $0 + $1.count } }
        func reduced(_ index: Int, isFormer: Bool = false) -> [(tag: Int, value: TIFFBytes.Value)] {
            [
                isFormer ? (0x00FF, .short(2)) : (0x00FE, .long(1)), (0x0103, .short(7)),
                (0x0111, .trailerPlace(starts[index])), (0x0117, .long(small[index].count)),
            ]
        }
        let size: [(tag: Int, value: TIFFBytes.Value)] = [(0x0100, .long(400)), (0x0101, .long(300))]
        let mask: [(tag: Int, value: TIFFBytes.Value)] = [(0x00FE, .long(4))]
        let head = try head(
            TIFFBytes(
                directories: [
                    size + [(0x014A, .directory(1))], reduced(0), mask, reduced(1, isFormer: true),
                    size + [(0x014A, .directory(5))], reduced(2), reduced(3),
                ], chain: [0: 2, 2: 3, 3: 4, 4: 6], trailer: small.flatMap { $0 }
            ).encoded())
        #expect(head.previews.map(\.pixelSize?.width).sorted { $0! < $1! } == [40, 80])
        #expect(head.frameCount == 5)
    }

    @Test("a HEIF thumbnail is told with its size and with what a decoder needs besides")
    func heif() throws {
        let bytes = HEIFBytes(properties: [HEIFBytes.size(4000, 3000)], thumbnail: [1, 2, 3, 4, 5]).encoded()
        let preview = try #require(try head(bytes).previews.first)
        #expect(preview.kind == .heifThumbnail && preview.contentType == .heic)
        #expect(Array(bytes[preview.byteRange]) == [1, 2, 3, 4, 5])
        #expect(preview.pixelSize == PixelSize(width: 320, height: 240))
        #expect(preview.container.map { String(decoding: bytes[$0], as: UTF8.self).contains("iloc") } == true)
        #expect(try head(HEIFBytes(properties: [HEIFBytes.size(40, 30)]).encoded()).previews.isEmpty)
    }
}
