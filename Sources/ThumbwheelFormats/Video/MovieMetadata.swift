import ThumbwheelCore

/// The metadata of a movie: QuickTime's items with keys, iTunes' items, and user data.
struct MovieMetadata {
    private(set) var tags = VideoTags()
    private(set) var cover: EmbeddedPreview?

    /// The types of the boxes `©day` and `©xyz`. The sign © is one byte here, so they cannot be written as string
    /// literals.
    private static let dateKind = FourCharacterCode(rawValue: 0xA964_6179)
    private static let placeKind = FourCharacterCode(rawValue: 0xA978_797A)

    /// Reads a `udta` box: boxes with single facts, and sometimes a box of items.
    mutating func readUserData(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var walk = HEIFBoxWalk(payload)
        while let box = try walk.next(&reader) {
            try reader.enterPart()
            switch box.kind {
            case "meta": try readItems(&reader, in: box.payload)
            case Self.dateKind: tags.take(.creationDate, text: try Self.text(&reader, in: box.payload))
            case Self.placeKind: tags.take(.location, text: try Self.text(&reader, in: box.payload))
            case "loci": tags.roughLocation = try Self.place(&reader, in: box.payload)
            case "CNTH":
                // Cameras by Canon store a JPEG thumbnail here.
                guard let picture = try HEIFBoxes(&reader, in: box.payload)["CNDA"] else { continue }
                try addCover(&reader, at: picture)
            default: break
            }
        }
    }

    /// Reads a text of user data, which is preceded by its length and its language.
    private static func text(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) -> [UInt8] {
        let start = try payload.subrange(at: 0, count: 4).lowerBound
        let count = try reader.integer(at: start, width: 2)
        return try reader.bytes(in: payload.subrange(at: 4, count: min(count, VideoTags.textLimit, payload.count - 4)))
    }

    /// The greatest number of bytes of a location's name that are searched for its end.
    private static let nameLimit = 1024

    /// Reads the location in a 3GPP file (TS 26.244, 8.10).
    private static func place(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) -> Location? {
        // The name is preceded by version and flags, and by its language.
        let name = try payload.suffix(at: 6)
        guard let end = try reader.firstPlace(of: 0, in: name.prefix(nameLimit)) else { return nil }
        // One byte between the name and the coordinates states the role of the location.
        var cursor = HeadCursor(try payload.suffix(at: end + 2 - payload.lowerBound))
        let longitude = try cursor.signedFraction(from: &reader)
        let latitude = try cursor.signedFraction(from: &reader)
        return Location(
            checking: latitude, longitude, altitude: try cursor.signedFraction(from: &reader))
    }

    /// Reads a `meta` box. The type of an item is the number of its key (QuickTime File Format, "Metadata"), or four
    /// characters.
    mutating func readItems(_ reader: inout HeadReader, in meta: Range<Int>) throws(HeadError) {
        // In MP4 files the box begins with version and flags, in QuickTime files it does not.
        let isPlain = try reader.matches("hdlr", at: meta.lowerBound + 4)
        let boxes = try HEIFBoxes(&reader, in: isPlain ? meta : meta.suffix(at: 4))
        guard let items = boxes["ilst"] else { return }
        let keys = try boxes["keys"].map { keys throws(HeadError) in try Self.keys(&reader, in: keys) } ?? [:]
        var walk = HEIFBoxWalk(items)
        while let item = try walk.next(&reader) {
            try reader.enterPart()
            let key = keys[item.kind.rawValue] ?? Self.key(of: item.kind)
            guard key != nil || item.kind == "covr" else { continue }
            guard let data = try HEIFBoxes(&reader, in: item.payload)["data"] else { continue }
            // The value is preceded by its type and its locale, four bytes each.
            let type = try reader.integer(at: data.subrange(at: 0, count: 8).lowerBound, width: 4)
            let value = try data.suffix(at: 8)
            if let key { try take(&reader, key, value, of: type) } else { try addCover(&reader, at: value) }
        }
    }

    private static func key(of kind: FourCharacterCode) -> VideoTags.Key? {
        switch kind {
        case dateKind: .creationDate
        case placeKind: .location
        default: nil
        }
    }

    /// Returns the wanted keys by their numbers, which begin at 1.
    private static func keys(
        _ reader: inout HeadReader, in payload: Range<Int>
    ) throws(HeadError) -> [UInt32: VideoTags.Key] {
        var found: [UInt32: VideoTags.Key] = [:]
        var cursor = HeadCursor(payload)
        try cursor.skip(4)
        let count = try cursor.integer(4, from: &reader)
        for number in 0..<min(count, HeadReader.partLimit) {
            let size = try cursor.integer(4, from: &reader)
            let name = cursor.position + 4
            try cursor.skip(size - 4)
            // Most keys are ruled out by their lengths, without reading them.
            guard size > 8, VideoTags.Key.lengths.contains(size - 8) else { continue }
            found[UInt32(number + 1)] = VideoTags.Key(name: try reader.bytes(in: name..<name + size - 8))
        }
        return found
    }

    private mutating func take(
        _ reader: inout HeadReader, _ key: VideoTags.Key, _ value: Range<Int>, of type: Int
    ) throws(HeadError) {
        if let number = try Self.number(&reader, in: value, of: type) {
            tags.take(key, number: number)
        } else if type == 1 || type == 0 {
            tags.take(key, text: try reader.bytes(in: value.prefix(VideoTags.textLimit)))
        }
    }

    /// Reads a value as a number, if its type is a numeric one (QuickTime File Format, "Well-known types"); nil for
    /// other types.
    private static func number(
        _ reader: inout HeadReader, in value: Range<Int>, of type: Int
    ) throws(HeadError) -> Double? {
        guard 1...8 ~= value.count else { return nil }
        var bits: UInt64 = 0
        for byte in try reader.bytes(in: value) { bits = bits << 8 | UInt64(byte) }
        switch type {
        case 21, 65...67, 74:
            let unused = UInt64(64 - 8 * value.count)
            return Double(Int64(bitPattern: bits << unused) >> Int64(unused))
        case 22, 75...78: return Double(bits)
        case 23 where value.count == 4: return Double(Float(bitPattern: UInt32(bits)))
        case 24 where value.count == 8: return Double(bitPattern: bits)
        default: return nil
        }
    }

    /// Uses the picture as cover, unless there is one already or the bytes are not those of a JPEG or PNG.
    private mutating func addCover(_ reader: inout HeadReader, at place: Range<Int>) throws(HeadError) {
        guard cover == nil else { return }
        cover = try EmbeddedPreview(coverIn: &reader, at: place)
    }
}

extension EmbeddedPreview {
    /// Makes a description of a video's cover picture; nil unless the bytes are those of a JPEG or PNG.
    init?(coverIn reader: inout HeadReader, at place: Range<Int>) throws(HeadError) {
        guard place.upperBound <= reader.byteCount,
            let type = ContentType(sniffing: try reader.bytes(in: place.prefix(ContentType.sniffedByteCount))),
            type == .jpeg || type == .png
        else { return nil }
        self.init(kind: .cover, byteRange: place, contentType: type)
    }
}

extension Range<Int> {
    /// The first places of the range, at most `count`.
    func prefix(_ count: Int) -> Range<Int> {
        lowerBound..<lowerBound + Swift.min(count, self.count)
    }
}
