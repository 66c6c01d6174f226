import ThumbwheelCore

/// Reads the header of an AVI file (Microsoft's "AVI RIFF File Reference", and the OpenDML extensions).
struct AVIHead {
    /// The duration of a frame in microseconds, and below, the number of frames, as stated in the main header.
    private var pictureDuration = 0
    private var pictureCount = 0
    private var size = PixelSize.zero
    /// The number of frames in the whole file, from the OpenDML header; the main header counts only the first gigabyte.
    private var extendedCount = 0
    private var streams: [AVIStream] = []
    private var date: CaptureDate?

    private static let streamLimit = 64

    static func read(_ reader: inout HeadReader) throws(HeadError) -> VideoHead {
        let (head, isWhole) = try make(&reader)
        return try head.describe(isWhole: isWhole)
    }

    /// Reads the header together with descriptions of all streams.
    static func describe(_ reader: inout HeadReader) throws(HeadError) -> VideoContents {
        let (avi, isWhole) = try make(&reader)
        let head = try avi.describe(isWhole: isWhole)
        let shown = avi.streams.firstIndex(where: \.isVideo) ?? 0
        let tracks = avi.streams.enumerated().map { index, stream in
            var media = stream.media(number: index + 1)
            if index == shown {
                media.takeFrames(head)
                media.duration = head.duration > 0 ? head.duration : nil
            }
            return media
        }
        // AVI stores frames and sound in turns; the index at the end is needed only to jump.
        return VideoContents(head: head, tracks: tracks, shownTrack: shown, isIndexInFront: true)
    }

    private static func make(_ reader: inout HeadReader) throws(HeadError) -> (head: AVIHead, isWhole: Bool) {
        var walk = RIFFWalk(reader.extent)
        guard let file = try walk.next(&reader), file.isList, file.kind == "AVI " else { throw .unknownType }
        var head = AVIHead()
        do throws(HeadError) {
            try head.read(&reader, in: file.payload)
        } catch  where error.concernsBytes && head.video != nil {
            // The facts that were read before the damage are enough.
        }
        let isWhole = try reader.integer(at: 4, width: 4, order: .little) <= reader.byteCount - 8
        return (head, isWhole)
    }

    private var video: AVIStream? { streams.first(where: \.isVideo) }

    private mutating func read(_ reader: inout HeadReader, in file: Range<Int>) throws(HeadError) {
        var walk = RIFFWalk(file)
        while let chunk = try walk.next(&reader) {
            try reader.enterPart()
            switch chunk.kind {
            case "hdrl" where chunk.isList: try readHeaders(&reader, in: chunk.payload)
            case "INFO" where chunk.isList: try readInfo(&reader, in: chunk.payload)
            case "IDIT": try readDate(&reader, in: chunk.payload)
            default: break
            }
        }
    }

    private mutating func readHeaders(_ reader: inout HeadReader, in list: Range<Int>) throws(HeadError) {
        var walk = RIFFWalk(list)
        while let chunk = try walk.next(&reader) {
            try reader.enterPart()
            switch chunk.kind {
            case "avih":
                let start = try chunk.payload.subrange(at: 0, count: 40).lowerBound
                pictureDuration = try reader.integer(at: start, width: 4, order: .little)
                pictureCount = try reader.integer(at: start + 16, width: 4, order: .little)
                size.width = try reader.integer(at: start + 32, width: 4, order: .little)
                size.height = try reader.integer(at: start + 36, width: 4, order: .little)
            case "strl" where streams.count < Self.streamLimit:
                streams.append(try AVIStream(&reader, in: chunk.payload))
            case "odml" where chunk.isList:
                var parts = RIFFWalk(chunk.payload)
                while let part = try parts.next(&reader) {
                    try reader.enterPart()
                    guard part.kind == "dmlh", part.payload.count >= 4 else { continue }
                    extendedCount = try reader.integer(at: part.payload.lowerBound, width: 4, order: .little)
                }
            case "INFO" where chunk.isList: try readInfo(&reader, in: chunk.payload)
            case "IDIT": try readDate(&reader, in: chunk.payload)
            default: break
            }
        }
    }

    private mutating func readInfo(_ reader: inout HeadReader, in list: Range<Int>) throws(HeadError) {
        var walk = RIFFWalk(list)
        while let chunk = try walk.next(&reader) {
            try reader.enterPart()
            if chunk.kind == "ICRD" || chunk.kind == "IDIT" { try readDate(&reader, in: chunk.payload) }
        }
    }

    private mutating func readDate(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        guard date == nil else { return }
        let bytes = try reader.bytes(in: payload.prefix(VideoTags.textLimit))
        let text = [UInt8](bytes.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x0A })
        // Some cameras separate the numbers of the day by slashes.
        let day = text.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
        date = CaptureDate(iso: day) ?? CaptureDate(clock: text)
    }

    /// - Parameter isWhole: whether the file has all the bytes that its header states. If not, a missing stream means
    ///   that the file was cut short.
    private func describe(isWhole: Bool) throws(HeadError) -> VideoHead {
        guard let video else { throw isWhole ? .malformed(reason: "no stream of pictures") : .truncated }
        let coded = video.size.isEmpty ? size : video.size
        guard !coded.isEmpty, max(coded.width, coded.height) <= Int(Int32.max) else {
            throw .malformed(reason: "a stream of pictures of \(coded)")
        }
        var head = VideoHead(contentType: .avi, codedSize: coded)
        head.codec = video.coding.flatMap(VideoCodecNames.name(of:))
        head.isCutShort = !isWhole
        head.hasSound = streams.contains { $0.kind == "auds" }
        if let aspect = video.frameAspect {
            head.pixelAspect = PixelAspect(aspect.width * coded.height, aspect.height * coded.width)
        }
        head.frameRate = video.rate ?? MovieTrack.rate(1, Double(pictureDuration) / 1e6)
        let count = max(video.count, extendedCount, video.count == 0 ? pictureCount : 0)
        if let rate = head.frameRate {
            head.duration = MovieHeader.believed(Double(count) / rate) ?? 0
        }
        head.adopt(date, from: .videoMetadata)
        head.take(VideoTags())
        return head
    }
}
