import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct JPEGHeadTests {
    @Test("the frame header gives size, process and sampling factors")
    func frameHeader() throws {
        let file = JPEGBytes.start + JPEGBytes.frame(640, 480) + JPEGBytes.segment(0xDD, [0, 40]) + JPEGBytes.scan
        let head = try head(file)
        #expect(head.contentType == .jpeg)
        #expect(head.storedSize == PixelSize(width: 640, height: 480))
        #expect(head.orientation == .up)
        let coding = try #require(head.jpeg)
        #expect(coding.process == .baseline)
        #expect(!coding.isArithmetic)
        #expect(coding.samplingFactors.map(\.horizontal) == [2, 1, 1])
        #expect(coding.samplingFactors.map(\.vertical) == [2, 1, 1])
        #expect(coding.restartInterval == 40)
    }

    @Test(
        "every kind of frame header is told apart",
        arguments: [
            (0xC1, JPEGCoding.Process.extendedSequential, false), (0xC2, .progressive, false),
            (0xC3, .lossless, false), (0xC5, .hierarchical, false), (0xC9, .extendedSequential, true),
            (0xCA, .progressive, true), (0xCB, .lossless, true), (0xCF, .hierarchical, true),
        ] as [(UInt8, JPEGCoding.Process, Bool)])
    func processes(marker: UInt8, process: JPEGCoding.Process, isArithmetic: Bool) throws {
        let file = JPEGBytes.start + JPEGBytes.frame(8, 8, marker: marker, precision: 12) + JPEGBytes.scan
        let head = try head(file)
        #expect(head.jpeg?.process == process)
        #expect(head.jpeg?.isArithmetic == isArithmetic)
        #expect(head.bitsPerChannel == 12)
    }

    @Test("EXIF gives orientation, date, colour space and the preview's place in the file", arguments: [false, true])
    func exif(isBigEndian: Bool) throws {
        let file =
            JPEGBytes.start + JPEGBytes.exif(TIFFBytes.exif(isBigEndian: isBigEndian)) + JPEGBytes.frame(30, 20)
            + JPEGBytes.scan
        let head = try head(file)
        #expect(head.orientation == .right)
        #expect(head.displaySize == PixelSize(width: 20, height: 30))
        #expect(
            head.captureDate
                == CaptureDate(
                    year: 2008, month: 5, day: 30, hour: 15, minute: 56, second: 1, millisecond: 450,
                    secondsFromGMT: 7200))
        #expect(head.exifColorSpace == .adobeRGB)
        let preview = try #require(head.preview)
        #expect(file[preview.byteRange] == [0xFF, 0xD8, 0xFF, 0xDB, 0])
    }

    @Test("an orientation that does not exist is upright", arguments: [0, 9, 65535])
    func unknownOrientation(value: Int) throws {
        let block = TIFFBytes.exif(orientation: value)
        #expect(try head(JPEGBytes.start + JPEGBytes.exif(block) + JPEGBytes.frame(3, 2)).orientation == .up)
    }

    @Test("a preview that is no JPEG, or does not lie in the file, is none")
    func brokenPreviews() throws {
        let noJPEG = TIFFBytes.exif(preview: [1, 2, 3, 4, 5])
        #expect(try head(JPEGBytes.start + JPEGBytes.exif(noJPEG) + JPEGBytes.frame(3, 2)).preview == nil)
        let tooLong = TIFFBytes(
            directories: [[], [(0x0201, .trailer), (0x0202, .long(100_000))]], chain: [0: 1],
            trailer: [0xFF, 0xD8, 0, 0, 0, 0]
        ).encoded()
        #expect(try head(JPEGBytes.start + JPEGBytes.exif(tooLong) + JPEGBytes.frame(3, 2)).preview == nil)
    }

    @Test("an EXIF block cut anywhere leaves the size alone")
    func cutEXIF() throws {
        let block = TIFFBytes.exif()
        for count in 0..<block.count {
            let file = JPEGBytes.start + JPEGBytes.exif([UInt8](block.prefix(count))) + JPEGBytes.frame(30, 20)
            #expect(try head(file).storedSize == PixelSize(width: 30, height: 20))
        }
    }

    @Test("directories that refer to each other in circles end at once and leave the size alone")
    func circularEXIF() throws {
        let block = TIFFBytes(
            directories: [[(0x0112, .short(3)), (0x8769, .directory(0)), (0xA005, .directory(0))]], chain: [0: 0]
        ).encoded()
        let head = try head(JPEGBytes.start + JPEGBytes.exif(block) + JPEGBytes.frame(30, 20))
        #expect(head.storedSize == PixelSize(width: 30, height: 20))
        #expect(head.orientation == .down)
    }

    @Test("a profile in pieces is read in the order of their numbers")
    func profileInPieces() throws {
        let profile = ICCBytes.versionTwo(name: "A name across a border")
        let cut = profile.count - 12
        let pieces = [[UInt8](profile[..<cut]), [UInt8](profile[cut...])]
        func segment(_ number: Int) -> [UInt8] {
            JPEGBytes.segment(0xE2, .text("ICC_PROFILE\0") + [UInt8(number), 2] + pieces[number - 1])
        }
        let head = try head(JPEGBytes.start + segment(2) + segment(1) + JPEGBytes.frame(1, 1))
        #expect(head.profile?.withoutSize == EmbeddedProfile(name: "A name across a border", colorSpace: "RGB"))
    }

    @Test("fill bytes and stray bytes in front of a marker are passed over")
    func strayBytes() throws {
        let file = JPEGBytes.start + [0xFF, 0xFF] + JPEGBytes.segment(0xE0, [1]) + [7, 7] + JPEGBytes.frame(5, 4)
        #expect(try head(file).storedSize == PixelSize(width: 5, height: 4))
    }

    @Test("a height that only follows the first scan is refused")
    func missingHeight() throws {
        #expect(headError(JPEGBytes.start + JPEGBytes.frame(8, 0) + JPEGBytes.scan)?.isMalformed == true)
    }

    @Test("a file that ends before its frame header is truncated; a scan in front of it is malformed")
    func missingFrame() throws {
        #expect(headError(JPEGBytes.start + JPEGBytes.segment(0xE0, .zeros(14))) == .truncated)
        #expect(headError(JPEGBytes.start + JPEGBytes.scan)?.isMalformed == true)
    }
}
