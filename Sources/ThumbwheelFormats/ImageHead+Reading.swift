import ThumbwheelCore

extension ImageHead {
    /// Reads the head of an image file: its type, its size, and other facts that need no decoder.
    ///
    /// At most 1 MiB is read, in pieces, wherever the facts are; long segments are skipped unread. The type follows
    /// from the bytes. No bytes make it trap or run on: every file ends as a head or as an error, within some
    /// milliseconds of work besides the reading. A damaged EXIF block or colour profile costs only its own facts.
    public init(reading source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        try self.init(&reader)
    }

    init(_ reader: inout HeadReader) throws(HeadError) {
        let start = try reader.bytes(in: 0..<min(ContentType.sniffedByteCount, reader.byteCount))
        guard let contentType = ContentType(sniffing: start) else { throw .unknownType }
        self =
            switch contentType {
            case .jpeg: try JPEGHead.read(&reader)
            case .png: try PNGHead.read(&reader)
            case .webp: try WebPHead.read(&reader)
            case .gif: try GIFHead.read(&reader)
            case .tiff, .cr2: try TIFFHead.read(&reader, sniffedAs: contentType)
            case .bmp: try BMPHead.read(&reader)
            case .heic, .heif, .avif: try HEIFHead.read(&reader, brandedAs: contentType)
            default: throw .unknownType
            }
    }
}

extension HeadError {
    /// Whether what was read before the error still stands: the bytes are at fault, not the reading of them.
    var concernsBytes: Bool {
        if case .source = self { false } else { true }
    }
}
