import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Heads of movies") struct MovieHeadTests {
    private let fullHD = PixelSize(width: 1920, height: 1080)

    @Test("type, coding, size, length, rate and sound", arguments: [false, true], [false, true])
    func ordinary(isMovieLast: Bool, isWide: Bool) throws {
        var file = MovieFile()
        (file.isMovieLast, file.isWide) = (isMovieLast, isWide)
        file.tracks.append(.sound())
        let head = try videoHead(file.encoded())
        #expect(head.contentType == .quickTime && head.codec == "h264" && head.hasSound)
        #expect(head.codedSize == fullHD && head.displaySize == fullHD && head.orientation == .up)
        #expect(head.duration == 10 && abs((head.frameRate ?? 0) - 30_000.0 / 1001) < 1e-9)
        #expect(head.captureDate == nil && head.location == nil && head.kinds.isEmpty && head.cover == nil)
    }

    @Test("the boxes of sound tracks are told, wherever they are", arguments: [false, true])
    func soundTracks(isWide: Bool) throws {
        var file = MovieFile()
        (file.isMovieLast, file.isWide) = (isWide, isWide)
        file.tracks = [.sound(id: 2), file.tracks[0], .sound(id: 3)]
        let bytes = file.encoded()
        let tracks = bytes.indices.filter { bytes[$0...].starts(with: "trak".utf8) }.map { $0 - 4 }
        #expect(tracks.count == 3)
        #expect(try videoHead(bytes).soundTracks == [tracks[0], tracks[2]])
        file.tracks.removeSubrange(1...)
        file.tracks[0] = MovieFileTrack()
        #expect(try videoHead(file.encoded()).soundTracks.isEmpty)
    }

    @Test("the type follows from the brand")
    func brands() throws {
        let types: [String: ContentType] = ["qt  ": .quickTime, "isom": .mp4, "mp42": .mp4, "3gp5": .threeGPP]
        for (brand, type) in types {
            var file = MovieFile()
            file.brand = brand
            #expect(try videoHead(file.encoded()).contentType == type)
        }
        var old = MovieFile()
        old.brand = nil
        #expect(try videoHead(old.encoded()).contentType == .quickTime)
    }

    @Test("of pictures before the movie box only the header of their box is read")
    func skippedPictures() throws {
        var file = MovieFile()
        (file.pixelCount, file.isMovieLast) = (5_000_000, true)
        let source = CountingSource(file.encoded())
        #expect(try VideoHead(reading: source).duration == 10)
        #expect(source.tally.total < 64 << 10)
    }

    @Test("matrices turn and mirror, those of the movie too")
    func matrices() throws {
        let one = 1 << 16
        let orientations: [(matrix: [UInt8], orientation: ImageOrientation)] = [
            (BoxBytes.matrix(one, 0, 0, one), .up), (BoxBytes.matrix(-one, 0, 0, one), .upMirrored),
            (BoxBytes.matrix(-one, 0, 0, -one), .down), (BoxBytes.matrix(one, 0, 0, -one), .downMirrored),
            (BoxBytes.matrix(0, one, one, 0), .leftMirrored), (BoxBytes.matrix(0, one, -one, 0), .right),
            (BoxBytes.matrix(0, -one, -one, 0), .rightMirrored), (BoxBytes.matrix(0, -one, one, 0), .left),
            (BoxBytes.matrix(0, 0, 0, 0), .up),
        ]
        for (matrix, orientation) in orientations {
            let head = try videoHead(MovieFile.withTrack { $0.matrix = matrix }.encoded())
            #expect(head.orientation == orientation && head.codedSize == fullHD)
            #expect(head.displaySize == (orientation.isTransposing ? fullHD.transposed : fullHD))
            var file = MovieFile()
            file.matrix = matrix
            if orientation != .up { #expect(try videoHead(file.encoded()).orientation == orientation) }
        }
        // Two quarter turns are half a circle.
        var file = MovieFile.withTrack { $0.matrix = BoxBytes.matrix(0, one, -one, 0) }
        file.matrix = BoxBytes.matrix(0, one, -one, 0)
        #expect(try videoHead(file.encoded()).orientation == .down)
    }

    @Test("the shape of pixels comes from the description, else from the size in which the track is shown")
    func aspect() throws {
        let stated = try videoHead(
            MovieFile.withTrack {
                ($0.size, $0.presented) = ((720, 576), (720 << 16, 576 << 16))
                $0.descriptionBoxes = BoxBytes.box("pasp", BoxBytes.big(64, 4) + BoxBytes.big(45, 4))
            }.encoded())
        #expect(stated.pixelAspect == PixelAspect(64, 45) && stated.displaySize == PixelSize(width: 1024, height: 576))
        let shown = try videoHead(
            MovieFile.withTrack { ($0.size, $0.presented) = ((1440, 1080), (1920 << 16, 1080 << 16)) }.encoded())
        #expect(shown.pixelAspect == PixelAspect(4, 3) && shown.displaySize == fullHD)
        // Rounding, sizes of turned pictures, and impossible shapes say nothing.
        for presented in [(1920 << 16, 1088 << 16), (1080 << 16, 1920 << 16), (1 << 16, 1080 << 16), (0, 0)] {
            let head = try videoHead(MovieFile.withTrack { $0.presented = presented }.encoded())
            #expect(head.pixelAspect == .square && head.displaySize == fullHD)
        }
    }

    @Test("the clean aperture is the part that is shown")
    func aperture() throws {
        let numbers = [704, 1, 480, 1, 0, 1, 0, 1].flatMap { BoxBytes.big($0, 4) }
        let head = try videoHead(
            MovieFile.withTrack {
                ($0.size, $0.presented) = ((720, 480), (704 << 16, 480 << 16))
                $0.descriptionBoxes = BoxBytes.box("clap", numbers)
            }.encoded())
        #expect(head.codedSize == PixelSize(width: 720, height: 480))
        #expect(head.visibleRegion == PixelRegion(x: 8, y: 0, size: PixelSize(width: 704, height: 480)))
        #expect(head.displaySize == PixelSize(width: 704, height: 480))
    }

    @Test("colours in MP4's and QuickTime's spelling; PQ and HLG are of high dynamic range")
    func colors() throws {
        let numbers = BoxBytes.big(9, 2) + BoxBytes.big(16, 2) + BoxBytes.big(9, 2)
        let boxes = [
            BoxBytes.box("colr", BoxBytes.kind("nclx") + numbers + [0x80]),
            BoxBytes.box("colr", BoxBytes.kind("nclc") + numbers),
        ]
        for (index, box) in boxes.enumerated() {
            let head = try videoHead(MovieFile.withTrack { $0.descriptionBoxes = box }.encoded())
            #expect(
                head.codedColor
                    == CodingIndependentColor(primaries: 9, transfer: 16, matrix: 9, isFullRange: index == 0))
            #expect(head.kinds[.highDynamicRange] == "PQ transfer")
        }
    }

    @Test("the enabled track of pictures counts; the list of its chapters does not")
    func choice() throws {
        var file = MovieFile()
        file.tracks[0].isEnabled = false
        file.tracks[0].coding = "jpeg"
        var second = MovieFileTrack()
        (second.id, second.coding, second.chapters) = (2, "hvc1", [3])
        var chapters = MovieFileTrack()
        (chapters.id, chapters.coding, chapters.size) = (3, "png ", (64, 64))
        file.tracks = [chapters, file.tracks[0], second]
        #expect(try videoHead(file.encoded()).codec == "hevc")
        file.tracks.removeLast()
        file.tracks.removeFirst()
        #expect(try videoHead(file.encoded()).codec == "mjpeg")
    }

    @Test("a movie without pictures is refused, and so are images and texts")
    func refusals() {
        var file = MovieFile()
        file.tracks = [.sound()]
        #expect(videoError(file.encoded())?.isMalformed == true)
        file.tracks = [MovieFileTrack()]
        (file.tracks[0].size, file.tracks[0].presented) = ((0, 0), (0, 0))
        #expect(videoError(file.encoded())?.isMalformed == true)
        file.brand = "M4A "
        #expect(videoError(file.encoded()) == .unknownType)
        #expect(videoError(HEIFBytes(properties: [HEIFBytes.size(6, 4)]).encoded()) == .unknownType)
        #expect(videoError(.text("some words about a movie")) == .unknownType && videoError([]) == .unknownType)
        #expect(videoError(MovieFile().front + MovieFile().pixels)?.isMalformed == true)
    }
}
