import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Metadata of movies") struct MovieMetadataTests {
    private func head(filename: String? = nil, _ change: (inout MovieFile) -> Void) throws -> VideoHead {
        var file = MovieFile()
        change(&file)
        return try VideoHead(reading: MemoryByteSource(file.encoded()), filename: filename)
    }

    @Test("the key's date comes before that of user data, and this before the header's and the name's")
    func dates() throws {
        let key = MovieFileItem("com.apple.quicktime.creationdate", "2023-05-06T09:08:09+0200")
        let text = [UInt8]("2021-02-03T04:05:06Z".utf8)
        let day = BoxBytes.box("©day", BoxBytes.big(text.count, 2) + BoxBytes.big(0, 2) + text)
        let name = "VID_20190102_030405.mp4"
        let first = try head(filename: name) { ($0.items, $0.userData, $0.created) = ([key], day, 3_700_000_000) }
        #expect(first.captureDate?.description == "2023-05-06T09:08:09+02:00" && first.dateSource == .videoMetadata)
        let second = try head(filename: name) { ($0.userData, $0.created) = (day, 3_700_000_000) }
        #expect(second.captureDate?.description == "2021-02-03T04:05:06+00:00" && second.dateSource == .videoMetadata)
        let third = try head(filename: name) { $0.created = 3_700_000_000 }
        #expect(third.dateSource == .videoHeader)
        #expect(
            third.captureDate?.date(assuming: .gmt) == Date(timeIntervalSince1970: 3_700_000_000 - 2_082_844_800))
        let fourth = try head(filename: name) { _ in }
        #expect(fourth.dateSource == .filename && fourth.captureDate?.description == "2019-01-02T03:04:05")
        #expect(try head { _ in }.captureDate == nil)
    }

    @Test("dates of the header that no camera has are none; those since 1970 are believed")
    func headerDates() throws {
        #expect(try head { $0.created = 1_600_000_000 }.captureDate?.description == "2020-09-13T12:26:40+00:00")
        for created in [0, 1, 500_000_000, 2_082_844_800, 2_082_844_801] {
            #expect(try head { $0.created = created }.captureDate == nil)
        }
        for created in [Int.max, 1 << 62, -1] {
            #expect(try head { ($0.isWide, $0.created) = (true, created) }.captureDate == nil)
        }
    }

    @Test("every day from 1990 to 2199 is that of Foundation's calendar")
    func calendar() throws {
        for day in stride(from: 7305, to: 84_000, by: 97) {
            let seconds = day * 86_400 + day * 7 % 86_400
            let date = try head { ($0.isWide, $0.created) = (true, seconds + 2_082_844_800) }.captureDate
            #expect(date?.date(assuming: .gmt) == Date(timeIntervalSince1970: Double(seconds)))
        }
    }

    @Test("places as Apple, Android and 3GPP write them")
    func places() throws {
        let key = MovieFileItem("com.apple.quicktime.location.ISO6709", "+47.3915+008.5121+404.680/")
        let zurich = Location(latitude: 47.3915, longitude: 8.5121, altitude: 404.680)
        #expect(try head { $0.items = [key] }.location == zurich)
        let text = [UInt8]("-33.8568+151.2153/".utf8)
        let android = BoxBytes.box("©xyz", BoxBytes.big(text.count, 2) + BoxBytes.big(0x15C7, 2) + text)
        let sydney = Location(latitude: -33.8568, longitude: 151.2153)
        #expect(try head { $0.userData = android }.location == sydney)
        let numbers = [-122 * 65_536, 37 * 65_536 + 32_768, 12 * 65_536].flatMap { BoxBytes.big($0, 4) }
        let loci = BoxBytes.full("loci", BoxBytes.big(0x15C7, 2) + [UInt8]("somewhere".utf8) + [0, 0] + numbers)
        #expect(try head { $0.userData = loci }.location == Location(latitude: 37.5, longitude: -122, altitude: 12))
        #expect(try head { $0.userData = loci + android }.location == sydney)
    }

    @Test(
        "notations of ISO 6709",
        arguments: [
            ("+4812.510+01622.326/", 48.2085, 16.3721), ("+481230.6-0162219.56+171/", 48.2085, -16.3721),
            ("+48.2085+016.3721+171CRSWGS_84/", 48.2085, 16.3721), ("-48.2085+016.3721", -48.2085, 16.3721),
        ])
    func notations(text: String, latitude: Double, longitude: Double) throws {
        let found = try head { $0.items = [MovieFileItem("com.apple.quicktime.location.ISO6709", text)] }.location
        let location = try #require(found)
        #expect(abs(location.latitude - latitude) < 1e-6 && abs(location.longitude - longitude) < 1e-6)
    }

    @Test(
        "what is no place is none",
        arguments: [
            "", "/", "+/", "+91+000/", "+48.2", "+nan+nan/", "48+16/", "+0+0/", "+1+1+1+1/", "+-+-/", "+1e9+1/",
        ])
    func noPlaces(text: String) throws {
        let item = MovieFileItem("com.apple.quicktime.location.ISO6709", text)
        #expect(try head { $0.items = [item] }.location == nil)
    }

    @Test("a Live Photo's identifier and the time of its still", arguments: [false, true])
    func live(isFull: Bool) throws {
        let items = [
            MovieFileItem("com.apple.quicktime.make", "Apple"),
            MovieFileItem("com.apple.quicktime.content.identifier", "8C7B-LIVE"),
        ]
        let head = try head {
            ($0.items, $0.hasFullMetadata) = (items, isFull)
            $0.tracks += [.sound(), .still(at: 930)]
        }
        #expect(head.contentIdentifier == "8C7B-LIVE" && head.stillTime == 1.55)
        let other = try self.head { $0.tracks.append(.still(at: 930, key: "com.apple.quicktime.live-photo-info")) }
        #expect(other.stillTime == nil && other.contentIdentifier == nil)
        for value in ["", "with a blank", "\u{7}"] {
            let broken = MovieFileItem("com.apple.quicktime.content.identifier", value)
            #expect(try self.head { $0.items = [broken] }.contentIdentifier == nil)
        }
    }

    @Test("slow motion is a rate of a hundred, unless the file is to be played as fast as it was recorded")
    func slowMotion() throws {
        func kinds(length: Int, _ items: [MovieFileItem] = []) throws -> Set<PictureKind> {
            Set(
                try head {
                    $0.tracks[0].times = [(480, length)]
                    $0.items = items
                }.kinds.keys)
        }
        let intent = "com.apple.quicktime.full-frame-rate-playback-intent"
        #expect(try kinds(length: 125) == [.slowMotion] && kinds(length: 300) == [.slowMotion])
        #expect(try kinds(length: 301) == [] && kinds(length: 500) == [])
        #expect(try kinds(length: 125, [MovieFileItem(intent, type: 22, [1])]) == [])
        #expect(try kinds(length: 125, [MovieFileItem(intent, type: 22, [0])]) == [.slowMotion])
        #expect(try kinds(length: 125, [MovieFileItem(intent, type: 75, [1])]) == [])
        func capture(_ rate: Float) -> [MovieFileItem] {
            [MovieFileItem("com.android.capture.fps", type: 23, BoxBytes.big(Int(rate.bitPattern), 4))]
        }
        #expect(try kinds(length: 1000, capture(240)) == [.slowMotion])
        #expect(try kinds(length: 1000, capture(30)) == [])
        #expect(try kinds(length: 1000, capture(1.5)) == [.timelapse])
        #expect(try kinds(length: 1000, capture(0)) == [] && kinds(length: 1000, capture(.nan)) == [])
        #expect(try kinds(length: 1000, capture(-30)) == [])
    }

    @Test("time-lapses, recordings of screens, cinematic and spatial videos say so")
    func kinds() throws {
        let timelapse = MovieFileItem("com.apple.photos.captureMode", "Time-lapse")
        #expect(try head { $0.items = [timelapse] }.kinds[.timelapse] != nil)
        #expect(try head { $0.tracks[0].items = [timelapse] }.kinds[.timelapse] != nil)
        let author = MovieFileItem("com.apple.quicktime.author", "ReplayKitRecording")
        #expect(try head { $0.items = [author] }.kinds[.screenRecording] != nil)
        #expect(try head { $0.items = [MovieFileItem("com.apple.quicktime.author", "Ann")] }.kinds.isEmpty)
        for name in [
            "ScreenRecording_09-17-2024 12-00-00_1.mp4", "Screen Recording 2023-01-02.mov", "RPReplay_Final1.MP4",
        ] {
            #expect(try head(filename: name) { _ in }.kinds[.screenRecording] == "the file's name")
        }
        #expect(try head(filename: "VID_20230102_030405.mp4") { _ in }.kinds.isEmpty)
        let rendering = MovieFileTrack.still(at: 0, key: "com.apple.quicktime.cinematic-video.rendering")
        #expect(try head { $0.tracks.append(rendering) }.kinds[.cinematic] != nil)
        let intent = MovieFileItem("com.apple.quicktime.cinematic-video-intent", type: 22, [1])
        #expect(try head { $0.items = [intent] }.kinds[.cinematic] != nil)
        let eyes = BoxBytes.box("vexu", BoxBytes.box("eyes", BoxBytes.full("stri", [3])))
        #expect(try head { $0.tracks[0].descriptionBoxes = eyes }.kinds[.spatial] != nil)
    }

    @Test("cover pictures of iTunes and of Canon are found where they are; others are none")
    func covers() throws {
        let jpeg = JPEGBytes.start + JPEGBytes.frame(6, 4) + JPEGBytes.end
        let png = PNGBytes.header(6, 4)
        for (picture, type) in [(jpeg, ContentType.jpeg), (png, .png)] {
            var file = MovieFile()
            file.userData = MovieFileItem.iTunes([MovieFileItem("covr", type: 13, picture)])
            let bytes = file.encoded()
            let cover = try #require(try videoHead(bytes).cover)
            #expect(cover.kind == .cover && cover.contentType == type && Array(bytes[cover.byteRange]) == picture)
            file.userData = BoxBytes.box("CNTH", BoxBytes.box("CNDA", picture))
            #expect(try #require(try videoHead(file.encoded()).cover).contentType == type)
        }
        let text = MovieFileItem("covr", type: 13, [UInt8]("no picture at all".utf8))
        #expect(try head { $0.userData = MovieFileItem.iTunes([text]) }.cover == nil)
    }
}
