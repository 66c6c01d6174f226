import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Dates of photographs") struct PhotographDateTests {
    private func date(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0,
        millisecond: Int = 0, zone: Int? = nil
    ) -> CaptureDate {
        CaptureDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond,
            secondsFromGMT: zone)
    }

    private func png(_ chunks: [UInt8]) -> [UInt8] {
        PNGBytes.header(6, 4) + chunks + PNGBytes.chunk("IDAT", [0])
    }

    private let plain = JPEGBytes.start + JPEGBytes.frame(6, 4)

    @Test(
        "names of cameras, phones and programs state a date",
        arguments: [
            ("IMG_20230102_030405.jpg", "2023-01-02T03:04:05"),
            ("PXL_20230102_030405678.MP.jpg", "2023-01-02T03:04:05.678+00:00"),
            ("20230102_030405.jpg", "2023-01-02T03:04:05"),
            ("20230102_030405(0).jpg", "2023-01-02T03:04:05"),
            ("MVIMG_20230102_030405.jpg", "2023-01-02T03:04:05"),
            ("IMG-20230102-WA0001.jpg", "2023-01-02T00:00:00"),
            ("Screenshot_2023-01-02-03-04-05-678_com.example.png", "2023-01-02T03:04:05"),
            ("Screenshot_20230102-030405.png", "2023-01-02T03:04:05"),
            ("Screenshot 2023-01-02 at 03.04.05.png", "2023-01-02T03:04:05"),
            ("Screenshot 2023-01-02 at 3.04.05 PM.png", "2023-01-02T15:04:05"),
            ("Screenshot 2023-01-02 at 12.04.05\u{202F}AM.png", "2023-01-02T00:04:05"),
            ("WhatsApp Image 2023-01-02 at 03.04.05.jpeg", "2023-01-02T03:04:05"),
            ("signal-2023-01-02-03-04-05-678.jpg", "2023-01-02T03:04:05"),
            ("signal-2023-01-02-030405.jpg", "2023-01-02T03:04:05"),
            ("2023-01-02 03.04.05.jpg", "2023-01-02T03:04:05"),
            ("photo 1 2023-01-02 03.04.05.jpg", "2023-01-02T03:04:05"),
        ])
    func names(name: String, expected: String) throws {
        let facts = try PlaceTests.facts(plain, filename: name)
        #expect(facts.head.captureDate?.description == expected)
        #expect(facts.dateSource == .filename)
    }

    @Test(
        "other numbers are no dates",
        arguments: [
            "IMG_1234.jpg", "DSC_20230102.jpg", "20230102.jpg", "120230102_030405.jpg", "IMG_20231302_030405.jpg",
            "IMG_20230230_030405.jpg", "IMG_20230102_250405.jpg", "IMG_20230102_0304051.jpg", "2023-0102_030405.jpg",
            "00000000_000000.jpg", "19890102_030405.jpg", "2023-01-02.jpg", "IMG-20230102-WAX.jpg", "", "2023",
            "Screenshot 2023-01-02 at 13.04.05 PM.png",
        ])
    func otherNames(name: String) throws {
        let facts = try PlaceTests.facts(plain, filename: name)
        #expect(facts.head.captureDate == nil && facts.dateSource == nil)
    }

    @Test("a better source counts more: EXIF, XMP, PNG's texts, its change, the file's name")
    func order() throws {
        let block = TIFFBytes(directories: [[(0x0132, .text("2001:01:01 00:00:00"))]]).encoded()
        let packet = "<rdf:Description xmp:CreateDate='2002-01-01T00:00:00'/>"
        let name = "20060101_000000.png"
        var chunks = [
            PNGBytes.chunk("eXIf", block), PNGBytes.chunk("iTXt", .text("XML:com.adobe.xmp\0\0\0\0\0" + packet)),
            PNGBytes.chunk("tEXt", .text("Creation Time\0" + "2003:01:01 00:00:00")),
            PNGBytes.chunk("tEXt", .text("date:create\0" + "2004-01-01T00:00:00")),
            PNGBytes.chunk("tIME", .big(2005, 2) + [1, 1, 0, 0, 0]),
        ]
        let sources: [DateSource] = [.exifModified, .xmp, .pngText, .pngText, .pngTime, .filename]
        for (index, source) in sources.enumerated() {
            let facts = try PlaceTests.facts(png(Array(chunks.reversed().joined())), filename: name)
            #expect(facts.dateSource == source)
            #expect(facts.head.captureDate?.year == 2001 + index)
            if !chunks.isEmpty { chunks.removeFirst() }
        }
    }

    @Test("EXIF's three dates are told apart")
    func exif() throws {
        func source(_ fields: [(tag: Int, value: TIFFBytes.Value)], _ main: String) throws -> DateSource? {
            let block = TIFFBytes(directories: [[(0x0132, .text(main)), (0x8769, .directory(1))], fields]).encoded()
            return try PlaceTests.facts(PlaceTests.jpeg(block)).dateSource
        }
        let (date, none) = ("2001:02:03 04:05:06", "0000:00:00 00:00:00")
        #expect(try source([(0x9003, .text(date)), (0x9004, .text(date))], date) == .exifOriginal)
        #expect(try source([(0x9003, .text(none)), (0x9004, .text(date))], date) == .exifDigitized)
        #expect(try source([(0x9003, .text(none))], date) == .exifModified)
        #expect(try source([(0x9003, .text(none))], none) == nil)
    }

    @Test(
        "XMP's dates are read in all their lengths",
        arguments: [
            ("2008-05-30T15:56:01.45+02:00", "2008-05-30T15:56:01.450+02:00"), ("2008-05-30", "2008-05-30T00:00:00"),
            ("2008-05-30T15:56", "2008-05-30T15:56:00"), ("2008-05-30T15:56Z", "2008-05-30T15:56:00+00:00"),
            ("2008-05", nil), ("0000-00-00T00:00:00", nil), ("2008-02-30", nil), ("", nil), ("2008-05-30T99:00", nil),
        ] as [(String, String?)])
    func xmp(text: String, expected: String?) throws {
        for name in ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"] {
            for packet in ["<rdf:Description \(name)='\(text)'/>", "<\(name)>\n \(text) </\(name)>"] {
                let facts = try PlaceTests.facts(XMPBytes.files(packet)[0])
                #expect(facts.head.captureDate?.description == expected)
            }
        }
    }

    @Test("namespaces count, not prefixes")
    func namespaces() throws {
        let packet = "<a:b xmlns:q='http://ns.adobe.com/xap/1.0/' q:CreateDate='2008-05-30'/>"
        #expect(try PlaceTests.facts(XMPBytes.files(packet)[0]).head.captureDate == date(2008, 5, 30))
        let other = "<a:b q:CreateDate='2008-05-30'/>"
        #expect(try PlaceTests.facts(XMPBytes.files(other)[0]).head.captureDate == nil)
    }

    @Test(
        "a PNG's creation time is read as mail, EXIF or ISO write it",
        arguments: [
            ("Mon, 02 Jan 2023 03:04:05 GMT", "2023-01-02T03:04:05+00:00"),
            ("2 January 2023 03:04:05 -0500", "2023-01-02T03:04:05-05:00"),
            ("2023:01:02 03:04:05", "2023-01-02T03:04:05"), ("2023-01-02T03:04:05+01:00", "2023-01-02T03:04:05+01:00"),
            ("yesterday", nil), ("32 Jan 2023 03:04:05 GMT", nil), ("", nil), ("Jan 2 2023", nil), ("1 2 3 4", nil),
        ] as [(String, String?)])
    func creationTime(text: String, expected: String?) throws {
        for file in [
            png(PNGBytes.chunk("tEXt", .text("Creation Time\0" + text))),
            png(PNGBytes.chunk("iTXt", .text("Creation Time\0\0\0\0\0" + text))),
        ] {
            #expect(try PlaceTests.facts(file).head.captureDate?.description == expected)
        }
    }

    @Test("an impossible date of a PNG's change is none")
    func change() throws {
        #expect(try PlaceTests.facts(png(PNGBytes.chunk("tIME", .zeros(7)))).head.captureDate == nil)
        #expect(try PlaceTests.facts(png(PNGBytes.chunk("tIME", .big(2023, 2)))).head.captureDate == nil)
        let facts = try PlaceTests.facts(png(PNGBytes.chunk("tIME", .big(2023, 2) + [12, 31, 23, 59, 60])))
        #expect(facts.head.captureDate == date(2023, 12, 31, 23, 59, 60, zone: 0))
        #expect(facts.dateSource == .pngTime)
    }
}
