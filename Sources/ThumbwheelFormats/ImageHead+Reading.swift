import ThumbwheelCore

extension ImageHead {
    /// Reads the head of an image file: its type, its size, and other facts that need no decoder.
    ///
    /// At most 1 MiB is read, in pieces, wherever the facts are; long segments are skipped unread. The type follows
    /// from the bytes. No bytes make it trap or run on: every file ends as a head or as an error, within some
    /// milliseconds of work besides the reading. A damaged EXIF block or colour profile costs only its own facts.
    ///
    /// - Throws: `HeadError`: `.unknownType`, `.truncated`, `.malformed`, `.limitExceeded`, or the source's error.
    public init(reading source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        try self.init(&reader)
    }

    init(_ reader: inout HeadReader) throws(HeadError) {
        let start = try reader.bytes(in: 0..<min(ContentType.sniffedByteCount, reader.byteCount))
        guard let found = HeadFormats.format(of: FileStart(bytes: start)) else { throw .unknownType }
        self = try found.format.read(&reader, as: found.type)
    }
}

extension HeadError {
    /// Whether what was read before the error still stands: the bytes are at fault, not the reading of them.
    var concernsBytes: Bool {
        if case .source = self { false } else { true }
    }
}
