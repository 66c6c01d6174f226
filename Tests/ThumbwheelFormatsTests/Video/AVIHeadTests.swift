import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Heads of AVI files") struct AVIHeadTests {
    private func head(_ change: (inout AVIFile) -> Void = { _ in }) throws -> VideoHead {
        var file = AVIFile()
        change(&file)
        return try videoHead(file.encoded())
    }

    @Test("type, coding, size, length, rate and sound")
    func ordinary() throws {
        let head = try head()
        let size = PixelSize(width: 640, height: 480)
        #expect(head.contentType == .avi && head.codec == "mpeg4" && head.hasSound)
        #expect(head.codedSize == size && head.displaySize == size && head.orientation == .up)
        #expect(head.duration == 10 && head.frameRate == 25 && head.captureDate == nil)
        #expect(try self.head { $0.hasSound = false }.hasSound == false)
    }

    @Test("a format of sound that is too short costs the facts about the sound alone")
    func shortSound() throws {
        for count in [0, 2, 15] {
            var file = AVIFile()
            file.soundFormat = [UInt8](repeating: 1, count: count)
            let contents = try VideoContents(reading: MemoryByteSource(file.encoded()))
            #expect(contents.head.hasSound && contents.head.duration == 10 && contents.tracks.count == 2)
            #expect(contents.tracks.last?.kind == .sound && contents.tracks.last?.sampleRate == nil)
        }
    }

    @Test("pictures are not read")
    func skipped() throws {
        var file = AVIFile()
        file.pixelCount = 5_000_000
        let source = CountingSource(file.encoded())
        #expect(try VideoHead(reading: source).duration == 10)
        #expect(source.tally.total < 64 << 10)
    }

    @Test("the format's coding comes before the handler's; rows from the top have negative heights")
    func formats() throws {
        #expect(try head { $0.compression = "MJPG" }.codec == "mjpeg")
        #expect(try head { $0.compression = "\0\0\0\0" }.codec == "rawvideo")
        #expect(try head { $0.compression = "abcd" }.codec == "abcd")
        #expect(try head { $0.size.height = -480 }.codedSize == PixelSize(width: 640, height: 480))
        let wide = try head { ($0.size, $0.aspect) = ((720, 576), (16, 9)) }
        #expect(wide.pixelAspect == PixelAspect(64, 45) && wide.displaySize == PixelSize(width: 1024, height: 576))
    }

    @Test("lengths of large files, and of streams that state none")
    func lengths() throws {
        #expect(try head { $0.extendedCount = 25_000 }.duration == 1000)
        #expect(try head { ($0.streamCount, $0.pictureCount) = (0, 500) }.duration == 20)
        #expect(try head { ($0.scale, $0.rate) = (0, 0) }.frameRate == 25)
        let nothing = try head { ($0.scale, $0.rate, $0.pictureDuration) = (0, 0, 0) }
        #expect(nothing.frameRate == nil && nothing.duration == 0)
        #expect(try head { ($0.scale, $0.streamCount) = (0xFFFF_FFFF, 0xFFFF_FFFF) }.duration == 0)
    }

    @Test(
        "dates as cameras write them",
        arguments: [
            ("Mon Mar 10 15:04:43 2003", "2003-03-10T15:04:43"), ("2003/03/10 15:04:43", "2003-03-10T15:04:43"),
            ("2003-03-10", "2003-03-10T00:00:00"), ("MON MAR  1 15:04:43 2003", "2003-03-01T15:04:43"),
        ])
    func dates(text: String, date: String) throws {
        for head in [try head { $0.recordedText = text }, try head { $0.createdText = text }] {
            #expect(head.captureDate?.description == date && head.dateSource == .videoMetadata)
        }
    }

    @Test("files without pictures are refused")
    func refusals() {
        var file = AVIFile()
        file.size = (0, 0)
        #expect(videoError(file.encoded())?.isMalformed == true)
        let empty = AVIFile.list("AVI ", AVIFile.list("hdrl", []) + AVIFile.list("movi", .zeros(10)), as: "RIFF")
        #expect(videoError(empty)?.isMalformed == true)
    }
}
