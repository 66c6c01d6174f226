import ThumbwheelCore

/// The facts about one track of a movie (ISO/IEC 14496-12, 8.3 to 8.6).
struct MovieTrack {
    /// The position of the track's box in the file.
    let position: Int
    private(set) var id = 0
    private(set) var isEnabled = false
    /// The kind of media in the track: `vide`, `soun`, `meta` and others.
    private(set) var handler: FourCharacterCode = "    "
    /// The numbers of the tracks that list the chapters of this track.
    private(set) var chapters: [Int] = []
    /// The range of the track's own metadata in the file.
    private(set) var metadata: Range<Int>?
    /// The number of time units per second in the track.
    private(set) var timescale = 0
    private(set) var edits = MovieEdits()
    /// The boxes in the sample table (`stbl`).
    private(set) var samples: [HEIFBoxes.Box] = []
    /// The number of samples that the tables of sample sizes state.
    private(set) var sampleCount = 0
    /// The duration of the media in seconds; nil if it is unknown.
    private(set) var mediaSeconds: Double?
    /// The language as a tag of BCP 47 or as three letters of ISO 639-2; nil if none is stated.
    private(set) var language: String?

    private var matrix = MovieMatrix.identity
    /// The size at which the track is shown before it is turned, in 65 536ths of a pixel.
    private var presentedWidth = 0
    private var presentedHeight = 0
    /// The duration in the time unit of the movie.
    private var duration = 0

    var isVideo: Bool { handler == "vide" }
    var isSound: Bool { handler == "soun" }

    /// The greatest number of chapter lists of a track.
    private static let chapterLimit = 8
    /// The greatest number of bytes of a language's tag.
    private static let tagLimit = 32

    /// Returns the three letters of a language, which are packed into five bits each. Nil if the language is stated as
    /// unknown, or by a number of the Macintosh.
    private static func language(_ packed: Int) -> String? {
        let letters = [10, 5, 0].map { UInt8(packed >> $0 & 31) }
        guard packed < 1 << 15, letters.allSatisfy({ 1...26 ~= $0 }) else { return nil }
        let text = String(decoding: letters.map { $0 + 0x60 }, as: UTF8.self)
        return text == "und" ? nil : text
    }

    /// - Parameters:
    ///   - position: the position of the track's box in the file.
    ///   - payload: the contents of the box.
    init(_ reader: inout HeadReader, at position: Int, in payload: Range<Int>) throws(HeadError) {
        self.position = position
        for box in try HEIFBoxes(&reader, in: payload).boxes {
            switch box.kind {
            case "tkhd": try readHeader(&reader, in: box.payload)
            case "mdia": try readMedia(&reader, in: box.payload)
            case "edts":
                let count = edits.count
                edits = try MovieEdits(&reader, in: box.payload)
                edits.count = max(count, edits.count)
            case "tref":
                let references = try HEIFBoxes(&reader, in: box.payload)
                guard let lists = references["chap"] else { continue }
                var cursor = HeadCursor(lists)
                while cursor.rest.count >= 4, chapters.count < Self.chapterLimit {
                    chapters.append(try cursor.integer(4, from: &reader))
                }
            case "meta": metadata = box.payload
            default: break
            }
        }
    }

    private mutating func readHeader(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var cursor = HeadCursor(payload)
        let (version, flags) = try cursor.versionAndFlags(from: &reader)
        let width = version == 1 ? 8 : 4
        isEnabled = flags & 1 == 1
        try cursor.skip(2 * width)
        id = try cursor.integer(4, from: &reader)
        try cursor.skip(4)
        duration = try cursor.integer(width, from: &reader)
        if width == 4, duration == Int(UInt32.max) { duration = 0 }
        // Skips reserved fields, the layer, the group and the volume.
        try cursor.skip(16)
        matrix = try MovieMatrix(&reader, at: &cursor)
        presentedWidth = try cursor.integer(4, from: &reader)
        presentedHeight = try cursor.integer(4, from: &reader)
    }

    private mutating func readMedia(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        for box in try HEIFBoxes(&reader, in: payload).boxes {
            switch box.kind {
            case "mdhd":
                var cursor = HeadCursor(box.payload)
                let width = try cursor.versionAndFlags(from: &reader).version == 1 ? 8 : 4
                try cursor.skip(2 * width)
                timescale = try cursor.integer(4, from: &reader)
                let duration = try cursor.integer(width, from: &reader)
                mediaSeconds = MovieHeader.seconds(duration, of: timescale, width: width)
                if language == nil, cursor.rest.count >= 2 {
                    language = Self.language(try cursor.integer(2, from: &reader))
                }
            case "elng":
                // The text follows the version and the flags.
                let text = try reader.bytes(in: box.payload.suffix(at: 4).prefix(Self.tagLimit)).prefix { $0 != 0 }
                if !text.isEmpty { language = String(decoding: text, as: UTF8.self) }
            case "hdlr":
                handler = try reader.code(at: box.payload.subrange(at: 8, count: 4).lowerBound)
            case "minf":
                for table in try HEIFBoxes(&reader, in: box.payload).boxes where table.kind == "stbl" {
                    try readTable(&reader, in: table.payload)
                }
            default: break
            }
        }
    }

    /// Finds the boxes in a sample table. The numbers of samples are read on the way, so that no part of the file is
    /// read twice.
    private mutating func readTable(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var walk = HEIFBoxWalk(payload)
        while let box = try walk.next(&reader) {
            try reader.enterPart()
            samples.append(box)
            // The number follows the version, the flags and the size that all samples have.
            if box.kind == "stsz" || box.kind == "stz2", box.payload.count >= 12 {
                sampleCount += try reader.integer(at: box.payload.lowerBound + 8, width: 4)
            }
        }
    }

    /// The number of entries of an index of the track: one for each sample and, at worst, for each edit that repeats
    /// the sample.
    var indexCount: Int {
        let (product, overflows) = sampleCount.multipliedReportingOverflow(by: max(1, edits.count))
        return overflows ? .max : product
    }

    /// The contents of a box in the sample table.
    func samples(_ kind: FourCharacterCode) -> Range<Int>? { samples.first { $0.kind == kind }?.payload }

    /// The duration of the track in seconds, from its own header or else from that of its media; nil if it is unknown.
    func seconds(in movie: MovieHeader) -> Double? {
        MovieHeader.seconds(duration, of: movie.timescale) ?? mediaSeconds
    }

    /// Makes a `VideoHead` from the facts about this track.
    func head(
        _ reader: inout HeadReader, as type: ContentType, in movie: MovieHeader
    ) throws(HeadError) -> VideoHead {
        var head = VideoHead(
            contentType: type,
            codedSize: PixelSize(width: presentedWidth >> 16, height: presentedHeight >> 16))
        head.orientation = matrix.followed(by: movie.matrix).orientation
        if let descriptions = samples("stsd") {
            let entry = try MovieSampleEntry(&reader, in: descriptions)
            entry.describe(&head)
            if !entry.statesAspect { head.pixelAspect = presentedAspect(of: head.visibleRegion.size) }
        }
        guard !head.codedSize.isEmpty else { throw .malformed(reason: "a track of pictures without a size") }
        return head
    }

    /// The aspect ratio of the pixels, computed from the size at which the track is shown. A ratio near 1 is due to
    /// rounding and counts as 1. If width and height are exchanged, the size is ignored, because some programs write
    /// that of the turned video by mistake.
    private func presentedAspect(of size: PixelSize) -> PixelAspect {
        let (horizontal, vertical) = (presentedWidth * size.height, presentedHeight * size.width)
        let isTurned = presentedWidth >> 16 == size.height && presentedHeight >> 16 == size.width
        guard horizontal > 0, vertical > 0, !isTurned else { return .square }
        let ratio = Double(horizontal) / Double(vertical)
        return 0.99...1.01 ~= ratio ? .square : PixelAspect(horizontal, vertical)
    }
}
