import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Times of movies") struct MovieTimeTests {
    private func head(_ change: (inout MovieFile) -> Void) throws -> VideoHead {
        var file = MovieFile()
        change(&file)
        return try videoHead(file.encoded())
    }

    @Test("the length is the movie's, else the track's, else that of its samples")
    func lengths() throws {
        #expect(try head { $0.duration = 3000 }.duration == 5)
        for unknown in [0, 0xFFFF_FFFF] {
            #expect(try head { ($0.duration, $0.tracks[0].duration) = (unknown, 1200) }.duration == 2)
            let samples = try head {
                ($0.duration, $0.tracks[0].duration, $0.tracks[0].mediaDuration) = (unknown, unknown, 90_000)
            }
            #expect(samples.duration == 3)
            let times = try head {
                ($0.duration, $0.tracks[0].duration, $0.tracks[0].mediaDuration) = (unknown, unknown, unknown)
            }
            #expect(times.duration == 10.01)
        }
    }

    @Test("lengths of centuries, without a unit, or negative, are not believed", arguments: [false, true])
    func lies(isWide: Bool) throws {
        for (timescale, duration) in [(0, 6000), (1, isWide ? 1 << 62 : 0xFFFF_FFFE), (600, isWide ? -2 : 0)] {
            let head = try head {
                $0.isWide = isWide
                ($0.timescale, $0.duration) = (timescale, duration)
                ($0.tracks[0].duration, $0.tracks[0].mediaDuration) = (0, 60_000)
            }
            #expect(head.duration == 2)
        }
        let nothing = try head {
            ($0.duration, $0.tracks[0].duration) = (0, 0)
            ($0.tracks[0].timescale, $0.tracks[0].times) = (0, [(5, 0)])
        }
        #expect(nothing.duration == 0 && nothing.frameRate == nil)
    }

    @Test("the rate is the average, also of pictures at irregular times")
    func rates() throws {
        #expect(try head { $0.tracks[0].times = [(10, 1000), (10, 2000)] }.frameRate == 20)
        // A thousand and twenty-four runs are too many to read; the number of samples and their length tell the same.
        let irregular = try head {
            $0.tracks[0].times = (0..<1024).map { (1, $0 % 2 == 0 ? 900 : 1100) }
            $0.tracks[0].mediaDuration = 1_024_000
        }
        #expect(irregular.frameRate == 30)
        #expect(try head { $0.tracks[0].times = [] }.frameRate == nil)
    }

    @Test("tables that count more than the file holds cost no more than they hold")
    func lyingTables() throws {
        let lengths = [0xFFFF_FFFF, 0x7FFF_FFFF]
        for length in lengths {
            let head = try head {
                $0.tracks[0].times = [(0xFFFF_FFFF, length), (0xFFFF_FFFF, length), (0xFFFF_FFFF, length)]
            }
            #expect(head.codedSize == PixelSize(width: 1920, height: 1080))
        }
    }

    @Test("edits put a still where it is shown: stretches without samples before it, and samples that are left out")
    func edits() throws {
        func still(_ edits: [(duration: Int, start: Int)]) throws -> Double? {
            try head {
                var track = MovieFileTrack.still(at: 0)
                track.edits = edits
                $0.tracks.append(track)
            }.stillTime
        }
        #expect(try still([(600, -1), (20, 0)]) == 1)
        #expect(try still([(600, -1), (300, -1), (20, 0)]) == 1.5)
        #expect(try still([(600, -1), (20, 15_000)]) == 0.5)
        #expect(try still([(20, 0)]) == 0 && still([]) == 0)
        #expect(try still([(20, 15_000)]) == nil)
        #expect(try still([(Int(UInt32.max), -1), (20, 0)]).map { $0 > 7_000_000 } == true)
    }

    @Test("runs of samples that last longer than any number are refused")
    func endlessRuns() {
        var file = MovieFile()
        (file.duration, file.pixelCount) = (0, 0)
        (file.tracks[0].duration, file.tracks[0].mediaDuration, file.tracks[0].times) = (0, 0, [])
        file.movieEnd = BoxBytes.box("mvex", trackExtends)
        let header = BoxBytes.full("tfhd", flags: 8, BoxBytes.big(1, 4) + BoxBytes.big(0xFFFF_FFFF, 4))
        let long = BoxBytes.full("trun", BoxBytes.big(1 << 31, 4))
        let last = BoxBytes.full("trun", flags: 0x100, BoxBytes.big(1, 4) + BoxBytes.big(0xFFFF_FFFF, 4))
        let track = BoxBytes.box("traf", header + long + last)
        let fragment = BoxBytes.box("moof", BoxBytes.full("mfhd", BoxBytes.big(1, 4)) + track)
        let head = try? videoHead(file.front + file.movie + fragment)
        #expect(head?.duration ?? 0 == 0)
    }

    // MARK: Fragments

    /// A movie of fragments, each of 30 pictures of 1000 units.
    private func fragmented(
        count: Int = 4, extends: [UInt8] = [], statesDurations: Bool = true,
        end: (_ places: [Int]) -> [UInt8] = { _ in [] }
    ) -> [UInt8] {
        var file = MovieFile()
        (file.duration, file.pixelCount) = (0, 0)
        (file.tracks[0].duration, file.tracks[0].mediaDuration, file.tracks[0].times) = (0, 0, [])
        file.movieEnd = BoxBytes.box("mvex", extends + trackExtends)
        var bytes = file.front + file.movie
        var places: [Int] = []
        for index in 0..<count {
            places.append(bytes.count)
            bytes += fragment(at: index * 30_000, statesDurations)
            bytes += BoxBytes.box("mdat", .zeros(100))
        }
        return bytes + end(places)
    }

    private let trackExtends = BoxBytes.full("trex", [1, 1, 1000, 0, 0].flatMap { BoxBytes.big($0, 4) })

    private func fragment(at time: Int, _ statesDurations: Bool) -> [UInt8] {
        let run =
            statesDurations
            ? BoxBytes.full(
                "trun", flags: 0x301,
                BoxBytes.big(30, 4) + BoxBytes.big(8, 4)
                    + (0..<30).flatMap { _ in BoxBytes.big(1000, 4) + BoxBytes.big(50, 4) })
            : BoxBytes.full("trun", BoxBytes.big(30, 4))
        let track = BoxBytes.box(
            "traf",
            BoxBytes.full("tfhd", BoxBytes.big(1, 4)) + BoxBytes.full("tfdt", version: 1, BoxBytes.big(time, 8)) + run)
        return BoxBytes.box("moof", BoxBytes.full("mfhd", BoxBytes.big(1, 4)) + track)
    }

    @Test("the length of fragments is what `mehd` says")
    func extendsHeader() throws {
        let head = try videoHead(fragmented(extends: BoxBytes.full("mehd", BoxBytes.big(2400, 4))))
        #expect(head.duration == 4 && head.frameRate == 30)
    }

    @Test("or it follows from the last fragment, by the index at the end or by a walk", arguments: [false, true])
    func lastFragment(statesDurations: Bool) throws {
        let walked = try videoHead(fragmented(statesDurations: statesDurations))
        #expect(walked.duration == 4 && walked.frameRate == 30)
        // Too many fragments for a walk.
        #expect(try videoHead(fragmented(count: 400, statesDurations: statesDurations)).duration == 0)
        let indexed = fragmented(count: 400, statesDurations: statesDurations) { places in
            let entries: [UInt8] = places.enumerated().flatMap { index, place -> [UInt8] in
                BoxBytes.big(index * 30_000, 8) + BoxBytes.big(place, 8) + [1, 1, 1]
            }
            let table = BoxBytes.full(
                "tfra", version: 1, BoxBytes.big(1, 4) + BoxBytes.big(0, 4) + BoxBytes.big(places.count, 4) + entries)
            let size = table.count + 8 + 16
            return BoxBytes.box("mfra", table + BoxBytes.full("mfro", BoxBytes.big(size, 4)))
        }
        let source = CountingSource(indexed)
        #expect(try VideoHead(reading: source).duration == 400)
        #expect(source.tally.total < 64 << 10)
    }

    @Test("or from the index of segments, if it covers all of them")
    func segments() throws {
        func file(sizes: Int) -> [UInt8] {
            var bytes = fragmented(count: 0)
            let body: [UInt8] = (0..<4).flatMap { fragment(at: $0 * 30_000, true) + BoxBytes.box("mdat", .zeros(100)) }
            let entry = [body.count / sizes, 2000, 0x9000_0000].flatMap { BoxBytes.big($0, 4) }
            let header = [1, 1000, 0, 0, 4].flatMap { BoxBytes.big($0, 4) }
            bytes += BoxBytes.full("sidx", header + entry + entry + entry + entry)
            return bytes + body
        }
        #expect(try videoHead(file(sizes: 4)).duration == 8)
        // An index of the first of four segments tells nothing of the others.
        #expect(try videoHead(file(sizes: 16)).duration == 4)
    }

    @Test("lying fragments end, with what the movie box says")
    func lyingFragments() throws {
        let lies: [[UInt8]] = [
            BoxBytes.full("mfro", BoxBytes.big(0xFFFF_FFFF, 4)), BoxBytes.full("mfro", BoxBytes.big(16, 4)),
            BoxBytes.full("trun", flags: 0x100, BoxBytes.big(0xFFFF_FFFF, 4)), BoxBytes.big(3, 4) + .text("moof"),
        ]
        for lie in lies {
            let head = try videoHead(fragmented { _ in lie })
            #expect(head.codedSize == PixelSize(width: 1920, height: 1080))
        }
        // A fragment without an end: four thousand million samples of a table that is not there.
        let run = BoxBytes.full("trun", flags: 0x100, BoxBytes.big(0xFFFF_FFFF, 4))
        let track = BoxBytes.box("traf", BoxBytes.full("tfhd", BoxBytes.big(1, 4)) + run)
        let head = try videoHead(fragmented(count: 0) { _ in BoxBytes.box("moof", track) })
        #expect(head.duration == 0 && head.frameRate == nil)
    }
}
