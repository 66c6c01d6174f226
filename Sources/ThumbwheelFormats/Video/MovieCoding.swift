import ThumbwheelCore

/// The codec of a track by the first entry of its sample description (`stsd`), with the configuration of the decoder
/// (ISO/IEC 14496-12, 8.5.2 and 12.2.3; QuickTime File Format, "Sound sample descriptions").
struct MovieCoding {
    private let entry: FourCharacterCode
    private var codec: String?
    private var configuration: [UInt8] = []
    private var channels = 0
    private var rate = 0.0

    /// The number of bytes before the boxes of an entry for frames.
    private static let videoOffset = 86
    /// The number of bytes before the boxes of an entry for sound in MP4. QuickTime has longer entries as well.
    private static let soundOffset = 36

    init(_ reader: inout HeadReader, in payload: Range<Int>, kind: MediaTrack.Kind) throws(HeadError) {
        // Skips version, flags and the number of entries.
        let all = try payload.suffix(at: 8)
        let start = try all.subrange(at: 0, count: 16).lowerBound
        entry = try reader.code(at: start + 4)
        let own = start..<start + max(16, min(try reader.integer(at: start, width: 4), all.count))
        switch kind {
        case .video: try readBoxes(&reader, in: own.suffix(at: Self.videoOffset))
        case .sound: try readSound(&reader, in: own)
        case .text, .other: codec = entry.text.isEmpty ? nil : entry.text.lowercased()
        }
    }

    private mutating func readSound(_ reader: inout HeadReader, in entry: Range<Int>) throws(HeadError) {
        codec = SoundCodecNames.name(of: self.entry)
        let start = try entry.subrange(at: 0, count: Self.soundOffset).lowerBound
        let version = try reader.integer(at: start + 16, width: 2)
        channels = try reader.integer(at: start + 24, width: 2)
        // A number with 16 bits behind the binary point.
        rate = Double(try reader.integer(at: start + 32, width: 4)) / 65_536
        var boxes = Self.soundOffset
        switch version {
        case 1: boxes += 16
        case 2:
            boxes = 72
            let wide = try entry.subrange(at: 40, count: 12).lowerBound
            rate = Double(bitPattern: UInt64(try reader.integer(at: wide, width: 8)))
            channels = try reader.integer(at: wide + 8, width: 4)
        default: break
        }
        guard boxes < entry.count else { return }
        try readBoxes(&reader, in: entry.suffix(at: boxes))
    }

    private mutating func readBoxes(_ reader: inout HeadReader, in range: Range<Int>) throws(HeadError) {
        var walk = HEIFBoxWalk(range)
        do throws(HeadError) {
            while let box = try walk.next(&reader) {
                try reader.enterPart()
                try take(&reader, box)
            }
        } catch  where error.concernsBytes {
            // Old movies have other data behind the fields.
        }
    }

    private mutating func take(_ reader: inout HeadReader, _ box: HEIFBoxes.Box) throws(HeadError) {
        switch box.kind {
        case "esds":
            let stream = try ElementaryStream(&reader, in: box.payload)
            (codec, configuration) = (stream.codec ?? codec, stream.configuration)
        case "wave":
            // QuickTime wraps the configuration of sound in another box.
            if let stream = try HEIFBoxes(&reader, in: box.payload)["esds"] {
                try take(&reader, HEIFBoxes.Box(kind: "esds", payload: stream))
            }
        case "avcC", "hvcC", "vvcC", "av1C", "vpcC", "dOps", "dfLa", "alac", "dac3", "dec3":
            if box.payload.count <= HeadReader.runLimit { configuration = try reader.bytes(in: box.payload) }
        default: break
        }
    }

    /// Copies the facts into the description of a track.
    func describe(_ media: inout MediaTrack) {
        media.codec = codec ?? media.codec
        media.configuration = configuration
        if media.kind == .sound { media.takeSound(channels: channels, rate: rate) }
        if media.kind == .video || media.kind == .sound {
            media.codecParameter = CodecParameter.name(
                media.codec, entry: entry.text, configuration: configuration)
        }
    }
}
