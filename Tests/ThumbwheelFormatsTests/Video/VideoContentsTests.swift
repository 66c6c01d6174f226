import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Tracks of videos") struct VideoContentsTests {
    private func contents(_ bytes: [UInt8]) throws -> VideoContents {
        try VideoContents(reading: MemoryByteSource(bytes))
    }

    /// A movie with one track of frames, of a coding and its configuration.
    private func movie(_ coding: String, _ boxes: [UInt8]) -> MovieFile {
        .withTrack { ($0.coding, $0.descriptionBoxes) = (coding, boxes) }
    }

    /// The description of an elementary stream of MPEG-4.
    private func stream(_ type: UInt8, _ configuration: [UInt8], flags: UInt8 = 0, more: [UInt8] = []) -> [UInt8] {
        func descriptor(_ tag: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [tag, 0x80, 0x80, UInt8(payload.count)] + payload
        }
        let decoder = descriptor(4, [type] + [UInt8](repeating: 0, count: 12) + descriptor(5, configuration))
        return BoxBytes.full("esds", descriptor(3, [0, 1, flags] + more + decoder))
    }

    /// A track of sound as MP4 has it, or as QuickTime does in its versions 1 and 2.
    private func sound(_ coding: String, version: Int = 0, boxes: [UInt8]) -> MovieFileTrack {
        var track = MovieFileTrack.sound()
        let rate = version == 2 ? 1 << 16 : 48_000 << 16
        var fields =
            BoxBytes.big(1, 8) + BoxBytes.big(version, 2) + BoxBytes.big(0, 6) + BoxBytes.big(version == 2 ? 3 : 2, 2)
            + BoxBytes.big(16, 2) + BoxBytes.big(0, 4) + BoxBytes.big(rate, 4)
        if version == 1 { fields += BoxBytes.big(0, 16) }
        if version == 2 {
            fields += BoxBytes.big(72, 4) + BoxBytes.big(Int(Double(96_000).bitPattern), 8) + BoxBytes.big(6, 4)
            fields += [UInt8](repeating: 0, count: 20)
        }
        track.description = BoxBytes.box(coding, fields + boxes)
        return track
    }

    @Test("codecs of frames are named with their profiles and levels")
    func codecParameters() throws {
        let avc = BoxBytes.box("avcC", [1, 0x64, 0, 0x1F, 0xFF])
        let hevc = BoxBytes.box("hvcC", [1, 2, 0x20, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 153, 0xF0])
        let tiered = BoxBytes.box("hvcC", [1, 0x61, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 93])
        let av1 = BoxBytes.box("av1C", [0x81, 0x04, 0x0C, 0])
        let deep = BoxBytes.box("av1C", [0x81, 0x4D, 0xE0, 0])
        let vp9 = BoxBytes.full("vpcC", version: 1, [2, 31, 0xA2, 9, 16, 9, 0, 0])
        for (coding, boxes, codec, name) in [
            ("avc1", avc, "h264", "avc1.64001F"), ("avc3", avc, "h264", "avc3.64001F"),
            ("hvc1", hevc, "hevc", "hvc1.2.4.L153.B0"), ("hev1", tiered, "hevc", "hev1.A1.6.H93"),
            ("av01", av1, "av1", "av01.0.04M.08"), ("av01", deep, "av1", "av01.2.13H.12"),
            ("vp09", vp9, "vp9", "vp09.02.31.10"), ("mp4v", stream(0x20, [1]), "mpeg4", "mp4v.20"),
        ] {
            let contents = try contents(movie(coding, boxes).encoded())
            let track = contents.tracks[contents.shownTrack]
            #expect(track.codec == codec && track.codecParameter == name, "\(coding): \(track)")
            #expect(contents.mediaType == "video/quicktime; codecs=\"\(name)\"")
        }
        // Without a configuration the profile is not known, and neither are the codecs of the whole file.
        let bare = try contents(movie("avc1", []).encoded())
        #expect(bare.tracks[0].codecParameter == nil && bare.mediaType == "video/quicktime")
        #expect(bare.tracks[0].configuration.isEmpty && bare.tracks[0].codedSize?.width == 1920)
    }

    @Test("sound of all versions of its description has its channels, its rate and its codec")
    func sound() throws {
        let low = stream(0x40, [0x11, 0x90])
        // The first names a stream; the second is of type 42, at 48 kHz, with one channel; the third has 22 050 Hz.
        let named = stream(0x40, [0x28, 0x30], flags: 0x40, more: [2, 65, 66])
        let (high, mono) = (stream(0x40, [0xF9, 0x46, 0x20]), stream(0x40, [0x13, 0x88]))
        let wave = BoxBytes.box("wave", BoxBytes.box("frma", BoxBytes.kind("mp4a")) + low)
        for (track, codec, name, channels, rate) in [
            (sound("mp4a", boxes: low), "aac", "mp4a.40.2", 2, 48_000.0),
            (sound("mp4a", version: 1, boxes: wave), "aac", "mp4a.40.2", 2, 48_000),
            (sound("mp4a", version: 2, boxes: named), "aac", "mp4a.40.5", 6, 96_000),
            (sound("mp4a", boxes: high), "aac", "mp4a.40.42", 1, 48_000),
            (sound("mp4a", boxes: mono), "aac", "mp4a.40.2", 1, 22_050),
            (sound("mp4a", boxes: stream(0x6B, [])), "mp3", "mp4a.6B", 2, 48_000),
            (sound("Opus", boxes: BoxBytes.box("dOps", [0, 2])), "opus", "opus", 2, 48_000),
            (sound("ac-3", boxes: BoxBytes.box("dac3", [16, 61, 0])), "ac3", "ac-3", 2, 48_000),
        ] {
            var file = movie("avc1", BoxBytes.box("avcC", [1, 0x42, 0xC0, 0x1E]))
            file.brand = "isom"
            file.tracks.append(track)
            let contents = try contents(file.encoded())
            let media = try #require(contents.tracks.last)
            #expect(contents.tracks.count == 2 && media.kind == .sound && media.number == 2)
            #expect(media.codec == codec && media.codecParameter == name, "\(media)")
            #expect(media.channelCount == channels && media.sampleRate == rate, "\(media)")
            #expect(contents.mediaType == "video/mp4; codecs=\"avc1.42C01E, \(name)\"")
        }
        var file = MovieFile()
        file.tracks.append(sound("sowt", boxes: []))
        let plain = try contents(file.encoded())
        #expect(plain.tracks[1].codec == "pcm_s16le" && plain.tracks[1].codecParameter == nil)
        #expect(plain.mediaType == "video/quicktime")
    }

    @Test("tracks have numbers, kinds, durations and rates, and the one that is shown is told")
    func kinds() throws {
        var file = MovieFile()
        file.tracks = [.still(id: 9, at: 930), .sound(), MovieFileTrack()]
        (file.tracks[1].isEnabled, file.tracks[1].duration) = (false, 3000)
        (file.tracks[2].id, file.tracks[2].mediaDuration) = (7, 300_300)
        let contents = try contents(file.encoded())
        #expect(contents.tracks.map(\.kind) == [.other, .sound, .video] && contents.tracks.map(\.number) == [9, 2, 7])
        #expect(contents.tracks.map(\.isEnabled) == [true, false, true] && contents.shownTrack == 2)
        #expect(contents.tracks[1].duration == 5 && contents.tracks[2].duration == 10)
        #expect(abs(try #require(contents.tracks[2].frameRate) - 30_000.0 / 1001) < 1e-9)
        #expect(contents.tracks[0].codec == "mebx" && contents.head.stillTime == 1.55)
    }

    @Test("the index is in front unless frames come before it")
    func index() throws {
        var file = MovieFile()
        #expect(try contents(file.encoded()).isIndexInFront)
        file.isMovieLast = true
        #expect(try !contents(file.encoded()).isIndexInFront)
        #expect(try contents(MatroskaFile().encoded()).isIndexInFront && contents(AVIFile().encoded()).isIndexInFront)
    }

    @Test("tracks of Matroska and WebM")
    func matroska() throws {
        var file = MatroskaFile()
        file.docType = "webm"
        let sound = MatroskaFile.element(
            0xAE,
            MatroskaFile.integer(0xD7, 5) + MatroskaFile.integer(0x83, 2, 1)
                + MatroskaFile.element(0x86, [UInt8]("A_OPUS".utf8)) + MatroskaFile.element(0x63A2, [1, 2, 3])
                + MatroskaFile.element(0x22B59C, [UInt8]("ger".utf8))
                + MatroskaFile.element(0x22B59D, [UInt8]("de-AT".utf8))
                + MatroskaFile.element(0xE1, MatroskaFile.number(0xB5, 48_000) + MatroskaFile.integer(0x9F, 2)))
        let text = MatroskaFile.element(
            0xAE,
            MatroskaFile.integer(0xD7, 6) + MatroskaFile.integer(0x83, 0x11, 1)
                + MatroskaFile.element(0x86, [UInt8]("S_TEXT/UTF8".utf8)))
        file.tracks = [sound, MatroskaFile.video(), text]
        let contents = try contents(file.encoded())
        #expect(contents.tracks.map(\.kind) == [.sound, .video, .text] && contents.shownTrack == 1)
        #expect(contents.tracks.map(\.language) == ["de-AT", "eng", "eng"])
        let media = contents.tracks[0]
        #expect(media.codec == "opus" && media.channelCount == 2 && media.sampleRate == 48_000 && media.number == 5)
        #expect(media.configuration == [1, 2, 3] && media.duration == 10)
        #expect(contents.mediaType == "video/webm; codecs=\"opus, vp9\"")
    }

    @Test("a rate of sound of a wrong length costs neither the track nor the file")
    func damagedSound() throws {
        let sound = MatroskaFile.element(
            0xAE,
            MatroskaFile.integer(0xD7, 5) + MatroskaFile.integer(0x83, 2, 1)
                + MatroskaFile.element(0xE1, MatroskaFile.integer(0x9F, 2) + MatroskaFile.element(0xB5, [1, 2, 3]))
                + MatroskaFile.element(0x86, [UInt8]("A_OPUS".utf8)))
        var file = MatroskaFile()
        file.tracks = [sound, MatroskaFile.video()]
        let contents = try contents(file.encoded())
        #expect(contents.head.hasSound && contents.head.duration == 10 && contents.shownTrack == 1)
        #expect(contents.tracks.map(\.codec) == ["opus", "vp9"] && contents.tracks[0].channelCount == 2)
    }

    @Test("the features of VP9 in Matroska are a list, which names the profile and the level")
    func features() throws {
        for (configuration, name) in [
            ([1, 1, 2, 2, 1, 41, 3, 1, 10, 4, 1, 1], "vp09.02.41.10"), ([1, 1, 0, 2, 1, 31], "vp9"),
            ([1, 1, 0, 2, 1, 41, 3, 2, 8], "vp9"), ([1, 0, 0, 0, 0, 31, 0x82], "vp09.00.31.08"), ([], "vp9"),
        ] as [([UInt8], String)] {
            var file = MatroskaFile()
            file.tracks = [
                MatroskaFile.element(
                    0xAE,
                    MatroskaFile.integer(0xD7, 1) + MatroskaFile.integer(0x83, 1, 1)
                        + MatroskaFile.element(0x86, [UInt8]("V_VP9".utf8))
                        + MatroskaFile.element(0x63A2, configuration)
                        + MatroskaFile.element(
                            0xE0, MatroskaFile.integer(0xB0, 640) + MatroskaFile.integer(0xBA, 480)))
            ]
            #expect(try contents(file.encoded()).tracks.map(\.codecParameter) == [name], "\(configuration)")
        }
    }

    @Test("the track that is shown is the right one among tracks of the same number")
    func sameNumbers() throws {
        var file = MovieFile()
        file.tracks = [.sound(id: 1), MovieFileTrack(), MovieFileTrack()]
        file.tracks[2].size = (640, 480)
        let contents = try contents(file.encoded())
        #expect(contents.tracks.count == 3 && contents.shownTrack == 1)
        #expect(contents.tracks[contents.shownTrack].codedSize == contents.head.codedSize)
    }

    @Test("what has no header of a video is refused")
    func refused() {
        #expect(throws: HeadError.unknownType) { try contents([0, 0, 1, 0xBA] + [UInt8](repeating: 0, count: 60)) }
        #expect(throws: HeadError.self) { try contents([UInt8](repeating: 0xFF, count: 100)) }
    }
}
