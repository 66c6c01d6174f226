import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Heads of Matroska files") struct MatroskaHeadTests {
    private let fullHD = PixelSize(width: 1920, height: 1080)

    private func head(_ change: (inout MatroskaFile) -> Void = { _ in }) throws -> VideoHead {
        var file = MatroskaFile()
        change(&file)
        return try videoHead(file.encoded())
    }

    /// The head of a file with one track, of pictures that have further fields.
    private func head(fields: [UInt8]) throws -> VideoHead {
        try head { $0.tracks = [MatroskaFile.video(fields: fields)] }
    }

    @Test("type, coding, size, length, rate and sound", arguments: [false, true], [false, true])
    func ordinary(isMetadataLast: Bool, statesSizes: Bool) throws {
        let head = try head {
            $0.isMetadataLast = isMetadataLast && statesSizes
            $0.statesSizes = statesSizes
            $0.tracks.insert(MatroskaFile.sound, at: 0)
        }
        #expect(head.contentType == .matroska && head.codec == "vp9" && head.hasSound)
        #expect(head.codedSize == fullHD && head.displaySize == fullHD && head.orientation == .up)
        #expect(head.duration == 10 && head.frameRate == 25 && head.captureDate == nil && head.kinds.isEmpty)
    }

    @Test("the document's type and the coding's name")
    func types() throws {
        #expect(try head { $0.docType = "webm" }.contentType == .webM)
        let codings = ["V_MPEG4/ISO/AVC": "h264", "V_MPEGH/ISO/HEVC": "hevc", "V_AV1": "av1", "V_NEW/ONE": "v_new/one"]
        for (id, name) in codings {
            #expect(try head { $0.tracks = [MatroskaFile.video(codec: id)] }.codec == name)
        }
    }

    @Test("pictures are skipped on the way to what lies behind them")
    func skipped() throws {
        var file = MatroskaFile()
        (file.pixelCount, file.isMetadataLast) = (5_000_000, true)
        file.tags = [("DATE_RECORDED", "2023-05-06T07:08:09Z")]
        let source = CountingSource(file.encoded())
        #expect(try VideoHead(reading: source).captureDate?.description == "2023-05-06T07:08:09+00:00")
        #expect(source.tally.total < 64 << 10)
    }

    @Test("lengths by the scale; without a length, or with a mad one, there is none")
    func lengths() throws {
        #expect(try head { ($0.scale, $0.duration) = (500_000, 3000) }.duration == 1.5)
        #expect(try head { $0.scale = nil }.duration == 10)
        for duration in [nil, -1, .nan, .infinity, 1e300] {
            #expect(try head { $0.duration = duration }.duration == 0)
        }
        #expect(try head { $0.tracks = [MatroskaFile.video(pictureDuration: 0)] }.frameRate == nil)
    }

    @Test("crops, shapes of pixels, and display sizes of every unit")
    func sizes() throws {
        let crop = try head(
            fields: MatroskaFile.integer(0x54BB, 10) + MatroskaFile.integer(0x54AA, 20)
                + MatroskaFile.integer(0x54CC, 30) + MatroskaFile.integer(0x54DD, 40))
        #expect(crop.visibleRegion == PixelRegion(x: 30, y: 10, size: PixelSize(width: 1850, height: 1050)))
        func display(_ width: Int, _ height: Int, unit: Int = 0) throws -> PixelSize {
            try head(
                fields: MatroskaFile.integer(0x54B0, width) + MatroskaFile.integer(0x54BA, height)
                    + MatroskaFile.integer(0x54B2, unit)
            ).displaySize
        }
        #expect(try display(3840, 1080) == PixelSize(width: 3840, height: 1080))
        #expect(try display(16, 9, unit: 3) == fullHD)
        #expect(try display(4, 3, unit: 3) == PixelSize(width: 1440, height: 1080))
        #expect(try display(1921, 1080) == fullHD && display(4, 3, unit: 4) == fullHD && display(0, 0) == fullHD)
        #expect(try display(0xFFFF_FFFF, 1) == fullHD)
        // A crop that leaves nothing is none.
        #expect(try head(fields: MatroskaFile.integer(0x54CC, 1920)).visibleRegion == PixelRegion(of: fullHD))
    }

    @Test("a roll turns anticlockwise, and a yaw of half a circle mirrors")
    func pose() throws {
        func orientation(yaw: Double = 0, roll: Double) throws -> ImageOrientation {
            try head(
                fields: MatroskaFile.element(
                    0x7670, MatroskaFile.number(0x7673, yaw) + MatroskaFile.number(0x7675, roll))
            ).orientation
        }
        #expect(try orientation(roll: 90) == .left && orientation(roll: -90) == .right)
        #expect(try orientation(roll: 180) == .down && orientation(roll: -180) == .down && orientation(roll: 0) == .up)
        #expect(try orientation(yaw: 180, roll: 0) == .upMirrored && orientation(yaw: -180, roll: 180) == .downMirrored)
        #expect(try orientation(roll: .nan) == .up && orientation(roll: 1e300) == .up)
    }

    @Test("colours, and the high dynamic range that they show")
    func colors() throws {
        let color = MatroskaFile.element(
            0x55B0,
            MatroskaFile.integer(0x55B1, 9, 1) + MatroskaFile.integer(0x55B9, 1, 1)
                + MatroskaFile.integer(0x55BA, 18, 1) + MatroskaFile.integer(0x55BB, 9, 1))
        let head = try head(fields: color)
        #expect(
            head.codedColor == CodingIndependentColor(primaries: 9, transfer: 18, matrix: 9, isFullRange: false))
        #expect(head.kinds[.highDynamicRange] == "HLG transfer")
    }

    @Test("dates of the header and of tags, places, and keys that came from QuickTime")
    func tags() throws {
        let nanoseconds = 705_049_689_123_000_000
        let dated = try head { $0.date = nanoseconds }
        #expect(dated.captureDate?.description == "2023-05-06T07:08:09.123+00:00" && dated.dateSource == .videoHeader)
        #expect(try head { $0.date = -nanoseconds }.captureDate == nil)
        let tagged = try head {
            $0.date = nanoseconds
            $0.tags = [
                ("COM.APPLE.QUICKTIME.CREATIONDATE", "2022-01-02T03:04:05+0100"),
                ("COM.APPLE.QUICKTIME.CONTENT.IDENTIFIER", "LIVE"), ("LOCATION", "+48.2085+016.3721/"),
                ("COM.ANDROID.CAPTURE.FPS", "240.000000"),
            ]
        }
        #expect(tagged.captureDate?.year == 2022 && tagged.dateSource == .videoMetadata)
        #expect(tagged.contentIdentifier == "LIVE" && tagged.kinds[.slowMotion] != nil)
        #expect(tagged.location == Location(latitude: 48.2085, longitude: 16.3721))
    }

    @Test("the attachment that is called cover stands for the video, else the first picture")
    func covers() throws {
        let (jpeg, png) = (JPEGBytes.start + JPEGBytes.frame(6, 4), PNGBytes.header(6, 4))
        var file = MatroskaFile()
        file.attachments = [("font.ttf", .zeros(20)), ("small_cover.png", png), ("cover.jpg", jpeg)]
        #expect(try videoHead(file.encoded()).cover?.contentType == .jpeg)
        file.attachments = [("font.ttf", .zeros(20)), ("any.png", png), ("other.jpg", jpeg)]
        let bytes = file.encoded()
        let cover = try #require(try videoHead(bytes).cover)
        #expect(cover.contentType == .png && cover.kind == .cover && Array(bytes[cover.byteRange]) == png)
        file.attachments = [("cover.jpg", .zeros(20))]
        #expect(try videoHead(file.encoded()).cover == nil)
    }

    @Test("files without pictures are refused")
    func refusals() {
        var file = MatroskaFile()
        file.tracks = [MatroskaFile.sound]
        #expect(videoError(file.encoded())?.isMalformed == true)
        file.tracks = [MatroskaFile.video(0, 0)]
        #expect(videoError(file.encoded())?.isMalformed == true)
        file.docType = "other"
        #expect(videoError(file.encoded()) == .unknownType)
    }
}
