import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats

/// Videos that are cut off, changed or made to cost much. Work is counted, not time.
@Suite("Damaged videos") struct VideoDamageTests {
    private static let files: [(name: String, bytes: [UInt8])] = {
        var movie = MovieFile()
        movie.items = [
            MovieFileItem("com.apple.quicktime.creationdate", "2023-05-06T09:08:09+0200"),
            MovieFileItem("com.android.capture.fps", type: 23, [0x43, 0x70, 0, 0]),
            MovieFileItem("com.apple.quicktime.content.identifier", "LIVE"),
        ]
        movie.tracks[0].edits = [(600, -1), (5400, 0)]
        movie.tracks[0].descriptionBoxes = BoxBytes.box("pasp", BoxBytes.big(4, 4) + BoxBytes.big(3, 4))
        movie.tracks += [.sound(), .still(at: 930)]
        movie.userData = MovieFileItem.iTunes([
            MovieFileItem("covr", type: 13, JPEGBytes.start + JPEGBytes.frame(6, 4))
        ])
        movie.pixelCount = 100
        var last = movie
        (last.isMovieLast, last.isWide) = (true, true)
        var fragments = movie
        let track = BoxBytes.box(
            "traf",
            BoxBytes.full("tfhd", flags: 8, [1, 1000].flatMap { BoxBytes.big($0, 4) })
                + BoxBytes.full("trun", BoxBytes.big(30, 4)))
        fragments.movieEnd = BoxBytes.box("mvex", BoxBytes.full("mehd", BoxBytes.big(1200, 4)))
        fragments.end = BoxBytes.box("moof", track)
        var matroska = MatroskaFile()
        (matroska.tags, matroska.date) = ([("LOCATION", "+48.2085+016.3721/")], 705_049_689_123_000_000)
        (matroska.attachments, matroska.pixelCount) = ([("cover.png", PNGBytes.header(6, 4))], 100)
        var lastMatroska = matroska
        lastMatroska.isMetadataLast = true
        var avi = AVIFile()
        (avi.recordedText, avi.createdText, avi.aspect) = ("Mon Mar 10 15:04:43 2003", "2003-03-10", (4, 3))
        (avi.extendedCount, avi.pixelCount) = (300, 100)
        return [
            ("movie", movie.encoded()), ("movie at the end", last.encoded()), ("fragments", fragments.encoded()),
            ("matroska", matroska.encoded()), ("matroska at the end", lastMatroska.encoded()), ("avi", avi.encoded()),
        ]
    }()

    /// Reads a head, whose numbers must be inside their bounds, within the limits of work.
    @discardableResult
    private func read(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> VideoHead? {
        var reader = HeadReader(MemoryByteSource(bytes))
        let head = try? VideoHead(&reader, filename: nil)
        #expect(
            reader.stepsSpent <= HeadReader.stepLimit && reader.bytesRead <= HeadReader.byteLimit,
            sourceLocation: sourceLocation)
        readContents(bytes, hasHead: head != nil, sourceLocation: sourceLocation)
        guard let head else { return nil }
        // Of program and transport streams, only the kind is known.
        if [.mpeg, .mpegTransportStream].contains(head.contentType) { return head }
        let sides = 1...Int(Int32.max)
        let isSound =
            sides ~= head.codedSize.width && sides ~= head.codedSize.height && sides ~= head.displaySize.width
            && sides ~= head.displaySize.height && 0...1e8 ~= head.duration && 0...1e8 ~= head.stillTime ?? 0
            && 0.001...100_000 ~= head.frameRate ?? 1
        #expect(isSound, "\(head)", sourceLocation: sourceLocation)
        let region = head.visibleRegion
        #expect(
            region.x >= 0 && region.y >= 0 && !region.size.isEmpty
                && region.x + region.size.width <= head.codedSize.width
                && region.y + region.size.height <= head.codedSize.height,
            sourceLocation: sourceLocation)
        if let cover = head.cover { #expect(cover.byteRange.upperBound <= bytes.count, sourceLocation: sourceLocation) }
        return head
    }

    /// Reads a head together with its tracks, within the same limits. The tracks are there if the head is, unless their
    /// descriptions take more than the limits.
    private func readContents(_ bytes: [UInt8], hasHead: Bool, sourceLocation: SourceLocation) {
        var reader = HeadReader(MemoryByteSource(bytes))
        let contents = try? VideoContents(&reader)
        #expect(
            reader.stepsSpent <= HeadReader.stepLimit && reader.bytesRead <= HeadReader.byteLimit,
            sourceLocation: sourceLocation)
        guard let contents else { return }
        #expect(hasHead, sourceLocation: sourceLocation)
        #expect(contents.tracks.indices.contains(contents.shownTrack), sourceLocation: sourceLocation)
        for track in contents.tracks {
            #expect(
                0...1e8 ~= track.duration ?? 0 && 0.001...100_000 ~= track.frameRate ?? 1
                    && 1...255 ~= track.channelCount ?? 1 && 1...10_000_000 ~= track.sampleRate ?? 1
                    && track.configuration.count <= HeadReader.runLimit, sourceLocation: sourceLocation)
        }
    }

    @Test("a file that is cut off anywhere gives an error, or the facts before the cut", arguments: files.map(\.name))
    func truncated(name: String) throws {
        let bytes = try #require(Self.files.first { $0.name == name }).bytes
        let whole = try #require(read(bytes))
        var heads = 0
        for count in 0..<bytes.count {
            guard let head = read(Array(bytes[..<count])) else { continue }
            heads += 1
            #expect(head.contentType == whole.contentType && head.codedSize == whole.codedSize)
        }
        #expect(heads > 0 || name == "movie at the end")
        #expect(videoError(Array(bytes[..<(bytes.count / 4)])) == .truncated || name.hasPrefix("matroska"))
    }

    @Test("changed bytes give an error or a sound head", arguments: files.map(\.name))
    func mutated(name: String) throws {
        let bytes = try #require(Self.files.first { $0.name == name }).bytes
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of changed videos, \(name): \(seed)")
        var numbers = SeededNumbers(seed: seed)
        let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
        var heads = 0
        for _ in 0..<3000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                let width = Bool.random(using: &numbers) ? 1 : 4
                let value = values.randomElement(using: &numbers) ?? 0
                for index in place..<min(bytes.count, place + width) {
                    changed[index] = Bool.random(using: &numbers) ? value : UInt8.random(in: 0...255, using: &numbers)
                }
            }
            if read(changed) != nil { heads += 1 }
        }
        #expect(heads > 0)
    }

    @Test("lists without end, and boxes in boxes, cost no more than the limits")
    func endless() {
        func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
            [[UInt8]](repeating: bytes, count: count).flatMap { $0 }
        }
        let front = MovieFile().front
        let empty = BoxBytes.box("free", [])
        #expect(isLimitExceeded(front + repeated(empty, 100_000)))
        #expect(isLimitExceeded(front + BoxBytes.box("moov", repeated(empty, 100_000))))
        var nested: [UInt8] = []
        for depth in (0..<20_000).reversed() { nested += BoxBytes.big(8 * (depth + 1), 4) + .text("moov") }
        #expect(videoError(front + nested) != nil)
        // Facts without which there is a head all the same.
        var file = MovieFile()
        let key = BoxBytes.big(8 + 32, 4) + .text("mdtacom.apple.quicktime.creationdate")
        let keys = BoxBytes.full("keys", BoxBytes.big(100_000, 4) + repeated(key, 20_000))
        file.movieEnd = BoxBytes.box("meta", MovieFileItem.metadata([]).dropFirst(8) + keys + BoxBytes.box("ilst", []))
        #expect(read(file.encoded()) != nil)
        file.movieEnd = BoxBytes.box("udta", repeated(BoxBytes.box("©day", .zeros(4)), 80_000))
        #expect(read(file.encoded()) != nil)
        file = MovieFile.withTrack { $0.times = [(Int, Int)](repeating: (1, 1), count: 200_000) }
        #expect(read(file.encoded())?.duration == 10)
        file = MovieFile.withTrack { $0.edits = [(Int, Int)](repeating: (1, -1), count: 100_000) }
        #expect(read(file.encoded()) != nil)
        file.tracks = [MovieFileTrack](repeating: MovieFileTrack(), count: 5000)
        #expect(read(file.encoded()) != nil)
        var matroska = MatroskaFile()
        matroska.tags = [(String, String)](repeating: ("A", "B"), count: 50_000)
        #expect(read(matroska.encoded()) != nil)
        matroska.tags = []
        matroska.tracks = [[UInt8]](repeating: MatroskaFile.sound, count: 20_000)
        #expect(read(matroska.encoded()) == nil)
        let header = MatroskaFile.element(0x1A45_DFA3, MatroskaFile.element(0x4282, .text("webm")))
        let void = MatroskaFile.element(0xEC, [])
        #expect(isLimitExceeded(header + MatroskaFile.element(0x1853_8067, repeated(void, 50_000))))
        #expect(isLimitExceeded(header + repeated(void, 50_000)))
        let chunk = AVIFile.chunk("JUNK", [])
        #expect(isLimitExceeded(AVIFile.list("AVI ", repeated(chunk, 50_000), as: "RIFF")))
    }

    private func isLimitExceeded(_ bytes: [UInt8]) -> Bool {
        read(bytes)
        return videoError(bytes)?.isLimitExceeded == true
    }

    @Test("a list of places that points at itself and behind the file comes to an end")
    func circles() throws {
        let places = [0x114D_9B74, 0x1254_C367, 0x1654_AE6B, 0x1941_A469].flatMap { id in
            [0, 1, 40, Int.max, 1 << 62].flatMap { place in
                MatroskaFile.element(
                    0x4DBB, MatroskaFile.integer(0x53AB, id) + MatroskaFile.integer(0x53AC, place, 8))
            }
        }
        let header = MatroskaFile.element(0x1A45_DFA3, MatroskaFile.element(0x4282, .text("webm")))
        let list = MatroskaFile.element(0x114D_9B74, places)
        let tracks = MatroskaFile.element(0x1654_AE6B, MatroskaFile.video())
        #expect(read(header + MatroskaFile.element(0x1853_8067, list)) == nil)
        #expect(read(header + MatroskaFile.element(0x1853_8067, list + tracks)) != nil)
    }

    @Test("a source that fails passes its error on, and one that promises more than it gives is truncated")
    func sources() throws {
        let bytes = Self.files[0].bytes
        for count in [0, 300, 700] {
            let error = ByteSourceError.unreadable(path: "a", code: 5)
            #expect(throws: HeadError.source(error)) {
                try VideoHead(reading: FailingSource(contents: bytes, soundCount: count, error: error))
            }
        }
        #expect(throws: HeadError.truncated) {
            try VideoHead(reading: FailingSource(contents: bytes, soundCount: 300, error: nil))
        }
    }

    @Test("an ordinary head takes a fraction of the limit")
    func ordinary() throws {
        for (name, bytes) in Self.files {
            var reader = HeadReader(MemoryByteSource(bytes))
            _ = try VideoHead(&reader, filename: nil)
            #expect(reader.stepsSpent < 4000, "\(name): \(reader.stepsSpent)")
        }
    }
}

/// A source whose bytes from a place on cannot be read, or are missing.
private struct FailingSource: ByteSource {
    let contents: [UInt8]
    let soundCount: Int
    let error: ByteSourceError?

    var byteCount: Int { contents.count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        if let error, offset + buffer.count > soundCount { throw error }
        return MemoryByteSource(Array(contents[..<soundCount])).read(into: buffer, at: offset)
    }
}
