import ThumbwheelCore

/// The facts about one track of a Matroska file (RFC 9559, 5.1.4).
struct MatroskaTrack {
    private var number = 0
    private var type = 0
    private(set) var isEnabled = true
    private var codec: String?
    /// The duration of a frame in nanoseconds.
    private var pictureDuration = 0
    private var size = PixelSize.zero
    private var crop = (top: 0, left: 0, bottom: 0, right: 0)
    private var display = PixelSize.zero
    private var displayUnit = 0
    private var color: CodingIndependentColor?
    private var yaw = 0.0
    private var roll = 0.0
    private var configuration: [UInt8] = []
    /// The language in letters of ISO 639-2. If none is stated, it is English (RFC 9559, 5.1.4.1.19).
    private var language = "eng"
    /// The language as a tag of BCP 47, which takes precedence; nil if none is stated.
    private var languageTag: String?
    private var sound = (channels: 1, rate: 8000.0, bits: 0)

    var isVideo: Bool { type == 1 }
    var isSound: Bool { type == 2 }

    init(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var walk = EBMLWalk(payload)
        while let field = try walk.next(&reader) {
            try reader.enterPart()
            switch field.id {
            case MatroskaID.trackNumber: number = try field.integer(&reader)
            case MatroskaID.trackType: type = try field.integer(&reader)
            case MatroskaID.isEnabled: isEnabled = try field.integer(&reader) != 0
            case MatroskaID.codec: codec = String(decoding: try field.text(&reader), as: UTF8.self)
            case MatroskaID.defaultDuration: pictureDuration = try field.integer(&reader)
            case MatroskaID.codecPrivate where field.isWhole && field.payload.count <= HeadReader.runLimit:
                configuration = try reader.bytes(in: field.payload)
            case MatroskaID.language: language = String(decoding: try field.text(&reader), as: UTF8.self)
            case MatroskaID.languageTag: languageTag = String(decoding: try field.text(&reader), as: UTF8.self)
            case MatroskaID.video: try readVideo(&reader, in: field.payload)
            case MatroskaID.sound:
                do throws(HeadError) {
                    try readSound(&reader, in: field.payload)
                } catch  where error.concernsBytes {
                    // The facts about sound that were read before the damage are kept.
                }
            default: break
            }
        }
    }

    private mutating func readVideo(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var walk = EBMLWalk(payload)
        while let field = try walk.next(&reader) {
            try reader.enterPart()
            switch field.id {
            case MatroskaID.pixelWidth: size.width = try side(&reader, field)
            case MatroskaID.pixelHeight: size.height = try side(&reader, field)
            case MatroskaID.cropTop: crop.top = try side(&reader, field)
            case MatroskaID.cropLeft: crop.left = try side(&reader, field)
            case MatroskaID.cropBottom: crop.bottom = try side(&reader, field)
            case MatroskaID.cropRight: crop.right = try side(&reader, field)
            case MatroskaID.displayWidth: display.width = try side(&reader, field)
            case MatroskaID.displayHeight: display.height = try side(&reader, field)
            case MatroskaID.displayUnit: displayUnit = try field.integer(&reader)
            case MatroskaID.color: try readColor(&reader, in: field.payload)
            case MatroskaID.projection: try readProjection(&reader, in: field.payload)
            default: break
            }
        }
    }

    private mutating func readSound(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var walk = EBMLWalk(payload)
        while let field = try walk.next(&reader) {
            try reader.enterPart()
            switch field.id {
            case MatroskaID.samplingFrequency: sound.rate = try field.number(&reader)
            case MatroskaID.channels: sound.channels = try field.integer(&reader)
            case MatroskaID.bitDepth: sound.bits = try field.integer(&reader)
            default: break
            }
        }
    }

    /// Reads a number of pixels, limited to the largest that a `VideoHead` may state.
    private func side(_ reader: inout HeadReader, _ field: EBMLWalk.Element) throws(HeadError) -> Int {
        min(try field.integer(&reader), Int(Int32.max))
    }

    private mutating func readColor(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        // The code 2 means unspecified for the first three numbers. For the range, 2 means full range.
        var stated = CodingIndependentColor(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
        var walk = EBMLWalk(payload)
        while let field = try walk.next(&reader) {
            try reader.enterPart()
            switch field.id {
            case MatroskaID.primaries: stated.primaries = UInt16(clamping: try field.integer(&reader))
            case MatroskaID.transfer: stated.transfer = UInt16(clamping: try field.integer(&reader))
            case MatroskaID.matrix: stated.matrix = UInt16(clamping: try field.integer(&reader))
            case MatroskaID.range: stated.isFullRange = try field.integer(&reader) == 2
            default: break
            }
        }
        color = stated
    }

    private mutating func readProjection(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var walk = EBMLWalk(payload)
        while let field = try walk.next(&reader) {
            try reader.enterPart()
            if field.id == MatroskaID.projectionYaw { yaw = try field.number(&reader) }
            if field.id == MatroskaID.projectionRoll { roll = try field.number(&reader) }
        }
    }

    /// The orientation by the pose of the projection: a yaw of 180 degrees mirrors the frames, and the roll then turns
    /// them anticlockwise.
    private var orientation: ImageOrientation {
        guard -360...360 ~= roll else { return .up }
        var orientation = abs(yaw) == 180 ? ImageOrientation.upMirrored : .up
        let quarters = (Int((roll / 90).rounded()) + 8) % 4
        for _ in 0..<quarters { orientation = orientation.turnedLeft }
        return orientation
    }

    /// Makes a `VideoHead` from the facts about this track; nil if the track has no size.
    func head(as type: ContentType) -> VideoHead? {
        guard !size.isEmpty else { return nil }
        var head = VideoHead(contentType: type, codedSize: size)
        head.codec = codec.flatMap(VideoCodecNames.name(ofMatroska:))
        let shown = PixelSize(width: size.width - crop.left - crop.right, height: size.height - crop.top - crop.bottom)
        if !shown.isEmpty { head.visibleRegion = PixelRegion(x: crop.left, y: crop.top, size: shown) }
        // The display size may be in pixels, in a unit of length, or only a ratio. A size in an unknown unit (4) is
        // ignored.
        if !display.isEmpty, displayUnit != 4 {
            let region = head.visibleRegion.size
            let (horizontal, vertical) = (display.width * region.height, display.height * region.width)
            // A display size in pixels is rounded, so a small difference does not mean that the pixels are not square.
            let isSquare = displayUnit == 0 && 0.99...1.01 ~= Double(horizontal) / Double(vertical)
            if !isSquare { head.pixelAspect = PixelAspect(horizontal, vertical) }
        }
        head.orientation = orientation
        head.codedColor = color
        if pictureDuration > 0 { head.frameRate = MovieTrack.rate(1, Double(pictureDuration) / 1e9) }
        return head
    }
}

extension MatroskaTrack {
    /// Describes the track for a player.
    ///
    /// - Parameter duration: the duration of the whole file in seconds; nil if the file does not state it.
    func media(as type: ContentType, duration: Double?) -> MediaTrack {
        var media = MediaTrack(number: number, kind: kind)
        media.duration = duration
        media.isEnabled = isEnabled
        media.configuration = configuration
        let tag = languageTag ?? language
        media.language = tag.isEmpty || tag == "und" ? nil : tag
        switch media.kind {
        case .video: if let head = head(as: type) { media.takeFrames(head) }
        case .sound:
            media.codec = codec.flatMap { SoundCodecNames.name(ofMatroska: $0, bits: sound.bits) }
            media.takeSound(channels: sound.channels, rate: sound.rate)
        case .text, .other: media.codec = codec?.lowercased()
        }
        if media.kind == .video || media.kind == .sound {
            media.codecParameter = CodecParameter.name(media.codec, configuration: configuration)
        }
        return media
    }

    private var kind: MediaTrack.Kind {
        switch type {
        case 1: .video
        case 2: .sound
        case 0x11: .text
        default: .other
        }
    }
}

extension VideoCodecNames {
    /// Returns the common name of a codec from its name in Matroska files.
    static func name(ofMatroska id: String) -> String? {
        let known: [(prefix: String, name: String)] = [
            ("V_MPEG4/ISO/AVC", "h264"), ("V_MPEGH/ISO/HEVC", "hevc"), ("V_MPEGI/ISO/VVC", "vvc"), ("V_AV1", "av1"),
            ("V_VP8", "vp8"), ("V_VP9", "vp9"), ("V_MPEG4/ISO", "mpeg4"), ("V_MPEG4/MS/V3", "msmpeg4v3"),
            ("V_MPEG1", "mpeg1video"), ("V_MPEG2", "mpeg2video"), ("V_MJPEG", "mjpeg"), ("V_PRORES", "prores"),
            ("V_THEORA", "theora"), ("V_FFV1", "ffv1"), ("V_UNCOMPRESSED", "rawvideo"),
        ]
        return known.first { id.hasPrefix($0.prefix) }?.name ?? (id.isEmpty ? nil : id.lowercased())
    }
}
