import ThumbwheelCore

/// The facts about one stream of an AVI file.
struct AVIStream {
    /// The kind of the stream: `vids` for video, `auds` for sound.
    private(set) var kind: FourCharacterCode = "    "
    private(set) var coding: FourCharacterCode?
    private(set) var size = PixelSize.zero
    /// The number of frames.
    private(set) var count = 0
    /// The number of frames per second.
    private(set) var rate: Double?
    /// The number of the sound's codec (`wFormatTag`), its channels, samples per second, bits per sample, and the
    /// configuration of its decoder.
    private var sound = (tag: 0, channels: 0, rate: 0, bits: 0, configuration: [UInt8]())
    /// The aspect ratio in which frames are shown, as a width and a height without a unit.
    private(set) var frameAspect: PixelSize?

    init(_ reader: inout HeadReader, in list: Range<Int>) throws(HeadError) {
        var walk = RIFFWalk(list)
        while let chunk = try walk.next(&reader) {
            try reader.enterPart()
            switch chunk.kind {
            case "strh": try readHeader(&reader, in: chunk.payload)
            case "strf" where kind == "vids": try readFormat(&reader, in: chunk.payload)
            // The format of some streams is too short to tell anything.
            case "strf" where kind == "auds" && chunk.payload.count >= 16:
                try readSound(&reader, in: chunk.payload)
            case "vprp" where chunk.payload.count >= 24:
                let start = chunk.payload.lowerBound + 20
                frameAspect = PixelSize(
                    width: try reader.integer(at: start + 2, width: 2, order: .little),
                    height: try reader.integer(at: start, width: 2, order: .little))
            default: break
            }
        }
    }

    private mutating func readHeader(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        let start = try payload.subrange(at: 0, count: 36).lowerBound
        kind = try reader.code(at: start)
        let handler = try reader.code(at: start + 4)
        if handler.rawValue != 0 { coding = handler }
        let scale = try reader.integer(at: start + 20, width: 4, order: .little)
        let rate = try reader.integer(at: start + 24, width: 4, order: .little)
        if scale > 0 { self.rate = MovieTrack.rate(rate, Double(scale)) }
        count = try reader.integer(at: start + 32, width: 4, order: .little)
    }

    /// Reads the stream's format, a bitmap header. It names the codec more reliably than the stream's own header does.
    private mutating func readFormat(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        let start = try payload.subrange(at: 0, count: 20).lowerBound
        size.width = try reader.integer(at: start + 4, width: 4, order: .little)
        // The height is negative if the uppermost row of a frame is stored first.
        let height = UInt32(clamping: try reader.integer(at: start + 8, width: 4, order: .little))
        size.height = Int(Int32(bitPattern: height).magnitude)
        let compression = try reader.code(at: start + 16)
        // The code 0 means uncompressed pixels.
        coding = compression.rawValue == 0 ? "raw " : compression
    }
}

extension AVIStream {
    var isVideo: Bool { kind == "vids" }

    /// Reads the format of a stream of sound (`WAVEFORMATEX`).
    private mutating func readSound(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        let start = try payload.subrange(at: 0, count: 16).lowerBound
        sound.tag = try reader.integer(at: start, width: 2, order: .little)
        sound.channels = try reader.integer(at: start + 2, width: 2, order: .little)
        sound.rate = try reader.integer(at: start + 4, width: 4, order: .little)
        sound.bits = try reader.integer(at: start + 14, width: 2, order: .little)
        guard payload.count > 18 else { return }
        let count = try reader.integer(at: start + 16, width: 2, order: .little)
        let extra = try payload.suffix(at: 18).prefix(count)
        if extra.count <= HeadReader.runLimit { sound.configuration = try reader.bytes(in: extra) }
    }

    /// Describes the stream for a player.
    func media(number: Int) -> MediaTrack {
        var media = MediaTrack(
            number: number, kind: isVideo ? .video : kind == "auds" ? .sound : kind == "txts" ? .text : .other)
        media.duration = rate.flatMap { MovieHeader.believed(Double(count) / $0) }
        switch media.kind {
        case .video:
            media.codec = coding.flatMap(VideoCodecNames.name(of:))
            media.codedSize = size.isEmpty ? nil : size
            media.frameRate = rate
            media.codecParameter = CodecParameter.name(media.codec, configuration: [])
        case .sound:
            media.codec = SoundCodecNames.name(ofWave: sound.tag, bits: sound.bits)
            media.configuration = sound.configuration
            media.takeSound(channels: sound.channels, rate: Double(sound.rate))
            media.codecParameter = CodecParameter.name(media.codec, configuration: sound.configuration)
        case .text, .other: break
        }
        return media
    }
}

extension CaptureDate {
    /// Reads a date as the C function `asctime` writes it: `Mon Mar 10 15:04:43 2003`.
    init?(clock text: [UInt8]) {
        let words = text.split(maxSplits: 5) { $0 == 0x20 }.map { [UInt8]($0) }
        guard words.count == 5, 1...2 ~= words[2].count else { return nil }
        let name = String(decoding: words[1].prefix(3), as: UTF8.self).lowercased()
        var (days, clock, years) = (DigitCursor(words[2]), DigitCursor(words[3]), DigitCursor(words[4]))
        guard let month = Self.months.firstIndex(of: name), let day = days.number(words[2].count),
            let hour = clock.number(2), clock.skip(":"), let minute = clock.number(2), clock.skip(":"),
            let second = clock.number(2), let year = years.number(4)
        else { return nil }
        self.init(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        guard isInCalendar else { return nil }
    }
}
