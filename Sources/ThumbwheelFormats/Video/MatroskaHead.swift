import ThumbwheelCore

/// Reads the header of a Matroska or WebM file (RFC 9559). Most of the facts are stored before the frames. Elements
/// after the frames are found by the file's index of elements (SeekHead).
struct MatroskaHead {
    private var timestampScale = 1_000_000
    private var duration = 0.0
    private var date: CaptureDate?
    private var tracks: [MatroskaTrack] = []
    private var tags = VideoTags()
    private var cover: (rank: Int, preview: EmbeddedPreview)?
    /// The identifiers of the elements that have been read.
    private var found: Set<Int> = []
    /// Elements in the index (SeekHead), each with its position in the segment. Some may not have been read yet.
    private var places: [(id: Int, place: Int)] = []

    /// Whether the segment ends after the file does.
    private var isCutShort = false

    private static let trackLimit = 64
    /// The greatest number of index entries that are stored.
    private static let placeLimit = 64

    static func read(_ reader: inout HeadReader) throws(HeadError) -> VideoHead {
        let (matroska, type) = try make(&reader)
        return try matroska.describe(as: type)
    }

    /// Reads the header together with descriptions of all tracks.
    static func describe(_ reader: inout HeadReader) throws(HeadError) -> VideoContents {
        let (matroska, type) = try make(&reader)
        let head = try matroska.describe(as: type)
        let tracks = matroska.tracks.map { $0.media(as: type, duration: head.duration > 0 ? head.duration : nil) }
        // Matroska stores frames and sound in clusters that are played one after the other.
        return VideoContents(head: head, tracks: tracks, shownTrack: matroska.shownTrack ?? 0, isIndexInFront: true)
    }

    private static func make(_ reader: inout HeadReader) throws(HeadError) -> (MatroskaHead, ContentType) {
        var walk = EBMLWalk(reader.extent)
        guard let header = try walk.next(&reader), header.id == MatroskaID.header else { throw .unknownType }
        var type = ContentType.matroska
        var fields = EBMLWalk(header.payload)
        while let field = try fields.next(&reader) {
            try reader.enterPart()
            if field.id == MatroskaID.docType, try field.text(&reader) == [UInt8]("webm".utf8) { type = .webM }
        }
        while let element = try walk.next(&reader) {
            try reader.enterPart()
            guard element.id == MatroskaID.segment else { continue }
            var head = MatroskaHead()
            head.isCutShort = element.isCutShort
            try head.read(&reader, in: element.payload)
            return (head, type)
        }
        throw header.isWhole ? .malformed(reason: "no segment") : .truncated
    }

    private mutating func read(_ reader: inout HeadReader, in segment: Range<Int>) throws(HeadError) {
        do throws(HeadError) {
            try readFront(&reader, in: segment)
            for index in 0..<Self.placeLimit where index < places.count {
                let (id, place) = places[index]
                guard place < segment.count, !found.contains(id) else { continue }
                var walk = EBMLWalk(segment.lowerBound + place..<segment.upperBound)
                guard let element = try walk.next(&reader), element.id == id else { continue }
                try reader.enterPart()
                try take(&reader, element)
            }
        } catch  where error.concernsBytes && tracks.contains(where: \.isVideo) {
            // The facts that were read before the damage are enough.
        }
    }

    /// Reads the elements before the first cluster, which is where the frames begin.
    private mutating func readFront(_ reader: inout HeadReader, in segment: Range<Int>) throws(HeadError) {
        var walk = EBMLWalk(segment)
        while let element = try walk.next(&reader), element.id != MatroskaID.cluster {
            try reader.enterPart()
            try take(&reader, element)
        }
    }

    private mutating func take(_ reader: inout HeadReader, _ element: EBMLWalk.Element) throws(HeadError) {
        // An element is read only once, even if the index (SeekHead) names it too. Only `Tags` elements may occur
        // several times.
        guard found.insert(element.id).inserted || element.id == MatroskaID.tags else { return }
        var walk = EBMLWalk(element.payload)
        switch element.id {
        case MatroskaID.seekHead:
            while let seek = try walk.next(&reader), places.count < Self.placeLimit {
                try reader.enterPart()
                try readPlace(&reader, seek)
            }
        case MatroskaID.info:
            while let field = try walk.next(&reader) {
                try reader.enterPart()
                try readInfo(&reader, field)
            }
        case MatroskaID.tracks:
            while let entry = try walk.next(&reader), tracks.count < Self.trackLimit {
                try reader.enterPart()
                if entry.id == MatroskaID.trackEntry { tracks.append(try MatroskaTrack(&reader, in: entry.payload)) }
            }
            guard element.isWhole || tracks.contains(where: \.isVideo) else { throw .truncated }
        case MatroskaID.tags:
            while let tag = try walk.next(&reader) {
                try reader.enterPart()
                if tag.id == MatroskaID.tag { try readTag(&reader, in: tag.payload) }
            }
        case MatroskaID.attachments:
            while let file = try walk.next(&reader) {
                try reader.enterPart()
                if file.id == MatroskaID.attachedFile { try readAttachment(&reader, in: file.payload) }
            }
        default: break
        }
    }

    private mutating func readPlace(_ reader: inout HeadReader, _ seek: EBMLWalk.Element) throws(HeadError) {
        guard seek.id == MatroskaID.seek else { return }
        var (id, place) = (0, -1)
        var walk = EBMLWalk(seek.payload)
        while let field = try walk.next(&reader) {
            try reader.enterPart()
            if field.id == MatroskaID.seekID { id = try field.integer(&reader) }
            if field.id == MatroskaID.seekPosition { place = try field.integer(&reader) }
        }
        if place >= 0, id != MatroskaID.seekHead { places.append((id, place)) }
    }

    private mutating func readInfo(_ reader: inout HeadReader, _ field: EBMLWalk.Element) throws(HeadError) {
        switch field.id {
        case MatroskaID.timestampScale: timestampScale = try field.integer(&reader)
        case MatroskaID.duration: duration = try field.number(&reader)
        case MatroskaID.date where field.payload.count == 8:
            // The date is in nanoseconds since the beginning of 2001. Earlier dates are negative and are ignored,
            // because no camera wrote them.
            let nanoseconds = try field.integer(&reader)
            date = CaptureDate(
                secondsSince1970: 978_307_200 + nanoseconds / 1_000_000_000,
                millisecond: nanoseconds / 1_000_000 % 1000)
        default: break
        }
    }

    private mutating func readTag(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var walk = EBMLWalk(payload)
        while let element = try walk.next(&reader) {
            try reader.enterPart()
            guard element.id == MatroskaID.simpleTag else { continue }
            var (key, text): (VideoTags.Key?, [UInt8]) = (nil, [])
            var fields = EBMLWalk(element.payload)
            while let field = try fields.next(&reader) {
                try reader.enterPart()
                if field.id == MatroskaID.tagName { key = Self.key(try field.text(&reader)) }
                if field.id == MatroskaID.tagText { text = try field.text(&reader) }
            }
            if let key { tags.take(key, text: text) }
        }
    }

    private static func key(_ name: [UInt8]) -> VideoTags.Key? {
        guard name.allSatisfy({ $0 < 0x80 }) else { return nil }
        return switch String(decoding: name, as: UTF8.self).uppercased() {
        case "DATE_RECORDED": .creationDate
        // Programs that convert QuickTime files give the location this name.
        case "LOCATION": .location
        default: VideoTags.Key(name: name)
        }
    }

    /// Uses an attached image as the cover picture: the one whose name marks it as the cover (RFC 9559, 21), or else
    /// the first.
    private mutating func readAttachment(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var name = ""
        var data: Range<Int>?
        var walk = EBMLWalk(payload)
        while let field = try walk.next(&reader) {
            try reader.enterPart()
            if field.id == MatroskaID.fileName { name = String(decoding: try field.text(&reader), as: UTF8.self) }
            if field.id == MatroskaID.fileData, field.isWhole { data = field.payload }
        }
        guard let data, let preview = try EmbeddedPreview(coverIn: &reader, at: data) else { return }
        let stem = name.lowercased().split(separator: ".").first ?? ""
        let rank = ["cover", "cover_land", "small_cover", "small_cover_land"].firstIndex { $0 == stem } ?? 4
        if rank < cover?.rank ?? .max { cover = (rank, preview) }
    }

    /// The index of the track of frames that is shown; nil if there is none.
    private var shownTrack: Int? {
        tracks.firstIndex { $0.isVideo && $0.isEnabled } ?? tracks.firstIndex(where: \.isVideo)
    }

    private func describe(as type: ContentType) throws(HeadError) -> VideoHead {
        guard let shownTrack else { throw .malformed(reason: "no track of pictures") }
        guard var head = tracks[shownTrack].head(as: type) else {
            throw .malformed(reason: "a track of pictures without a size")
        }
        head.isCutShort = isCutShort
        head.hasSound = tracks.contains(where: \.isSound)
        head.duration = MovieHeader.believed(duration * Double(timestampScale) / 1e9) ?? 0
        head.cover = cover?.preview
        head.take(tags)
        head.adopt(date, from: .videoHeader)
        return head
    }
}
