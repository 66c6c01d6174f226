import ThumbwheelCore

/// The facts that are read from a QuickTime or MP4 file: the identifier of the Live Photo that it belongs to.
///
/// The file is a sequence of boxes, and the boxes of the pictures and sounds are skipped unread. At most 1 MiB is read,
/// and the reading ends within some milliseconds, as for the head of an image.
public struct MovieFacts: Sendable, Equatable {
    /// The identifier that the two files of a Live Photo share (`com.apple.quicktime.content.identifier`).
    public var contentIdentifier: String?

    /// Makes facts that are known already.
    public init(contentIdentifier: String? = nil) {
        self.contentIdentifier = contentIdentifier
    }

    /// Reads the facts of a movie. Damaged facts count as missing.
    ///
    /// - Throws: `HeadError`: `.unknownType` for files of other kinds, or the source's error.
    public init(reading source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        let start = FileStart(bytes: try reader.bytes(in: 0..<min(ContentType.sniffedByteCount, reader.byteCount)))
        guard Self.isMovie(start) else { throw .unknownType }
        do throws(HeadError) {
            contentIdentifier = try Self.contentIdentifier(&reader)
        } catch  where error.concernsBytes {
            // A damaged movie has no identifier.
        }
    }

    /// Whether a file begins like a movie: with a file type box that is not of an image, or, in old QuickTime files,
    /// with another box that movies begin with.
    private static func isMovie(_ start: FileStart) -> Bool {
        if start.has("ftyp", at: 4) { return HeadFormats.format(of: start) == nil }
        let kinds: [StaticString] = ["moov", "mdat", "wide", "free", "skip", "pnot"]
        return kinds.contains { start.has($0, at: 4) }
    }

    private static let key: StaticString = "com.apple.quicktime.content.identifier"

    /// Reads the key's value among the movie's metadata (QuickTime File Format, "Metadata"): `keys` numbers the keys,
    /// and each item of `ilst` has the number of its key as its kind.
    private static func contentIdentifier(_ reader: inout HeadReader) throws(HeadError) -> String? {
        guard let movie = try box("moov", &reader, in: reader.extent),
            let meta = try box("meta", &reader, in: movie)
        else { return nil }
        // Inside MP4 the box has a version and flags in front, inside QuickTime files it has none.
        let isPlain = try reader.matches("hdlr", at: meta.lowerBound + 4)
        let boxes = try HEIFBoxes(&reader, in: isPlain ? meta : meta.suffix(at: 4))
        guard let keys = boxes["keys"], let items = boxes["ilst"], let number = try number(&reader, in: keys) else {
            return nil
        }
        var walk = HEIFBoxWalk(items)
        while let item = try walk.next(&reader) {
            try reader.enterPart()
            guard item.kind.rawValue == number, let data = try box("data", &reader, in: item.payload) else { continue }
            // Type and locale come first, four bytes each.
            let value = try data.suffix(at: 8)
            let bytes = try reader.bytes(in: value.lowerBound..<min(value.upperBound, value.lowerBound + 128))
            guard !bytes.isEmpty, bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    /// Returns the number of `key` in the list `keys`, counted from 1; nil if it is not in the list.
    private static func number(_ reader: inout HeadReader, in keys: Range<Int>) throws(HeadError) -> UInt32? {
        var cursor = HeadCursor(keys)
        try cursor.skip(4)
        let count = try cursor.integer(4, from: &reader)
        for number in 0..<min(count, HeadReader.partLimit) {
            let size = try cursor.integer(4, from: &reader)
            let name = cursor.position + 4
            try cursor.skip(size - 4)
            // The length of the key's name tells most keys apart.
            guard size == 8 + key.utf8CodeUnitCount else { continue }
            if try reader.matches(key, at: name) { return UInt32(number + 1) }
        }
        return nil
    }

    private static func box(
        _ kind: FourCharacterCode, _ reader: inout HeadReader, in range: Range<Int>
    ) throws(HeadError) -> Range<Int>? {
        var walk = HEIFBoxWalk(range)
        while let box = try walk.next(&reader) {
            try reader.enterPart()
            if box.kind == kind { return box.payload }
        }
        return nil
    }
}
