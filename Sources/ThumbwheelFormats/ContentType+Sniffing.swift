import ThumbwheelCore

extension ContentType {
    /// A still image in the HEIF container whose coding the file's brands do not tell.
    public static let heif = ContentType(rawValue: "image/heif")

    /// The number of bytes from the start of a file that suffice to tell its type.
    public static let sniffedByteCount = 256

    /// The types that a file's bytes can tell.
    public static var known: [ContentType] { HeadFormats.all.flatMap { $0.contentTypes } }

    /// The image type that the first bytes of a file show, whatever its name says; nil for anything else.
    ///
    /// - Parameter bytes: the start of the file; `sniffedByteCount` of them tell all that can be told.
    public init?(sniffing bytes: [UInt8]) {
        guard let found = HeadFormats.format(of: FileStart(bytes: bytes)) else { return nil }
        self = found.type
    }

    /// The image type that the first bytes of `source` show; nil for anything but an image.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    public init?(sniffing source: any ByteSource) throws(ByteSourceError) {
        self.init(sniffing: try source.bytes(in: 0..<Self.sniffedByteCount))
    }
}
