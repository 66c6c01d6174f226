import ThumbwheelCore

extension ImageHead {
    /// Reads the header of an image file: its type, its size, and other facts that need no decoder.
    ///
    /// At most 1 MiB is read, in pieces, wherever the facts are; long segments are skipped unread. The type is
    /// recognised by the bytes. No file can make the reader crash or run without end: for every file the result or an
    /// error comes after some milliseconds of work, apart from the time for reading. If an EXIF block or a colour
    /// profile is damaged, only its own facts are missing.
    ///
    /// - Throws: `HeadError`: `.unknownType`, `.truncated`, `.malformed`, `.limitExceeded`, or the source's error.
    public init(reading source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        try self.init(&reader)
    }

    init(_ reader: inout HeadReader) throws(HeadError) {
        var metadata = ImageMetadata()
        try self.init(&reader, noting: &metadata)
    }

    init(_ reader: inout HeadReader, noting metadata: inout ImageMetadata) throws(HeadError) {
        let start = try reader.bytes(in: 0..<min(ContentType.sniffedByteCount, reader.byteCount))
        guard let found = HeadFormats.format(of: FileStart(bytes: start)) else { throw .unknownType }
        self = try found.format.read(&reader, as: found.type, noting: &metadata)
    }
}

extension HeadError {
    /// Whether the bytes of the file caused the error. If so, facts that were read before it remain valid. If not, the
    /// bytes could not be read.
    var concernsBytes: Bool {
        if case .source = self { false } else { true }
    }
}
