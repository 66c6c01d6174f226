import ThumbwheelCore

extension ContentType {
    /// A still image in the HEIF container whose coding is not stated by the file's brands.
    public static let heif = ContentType(rawValue: "image/heif")

    /// The number of bytes from the start of a file that suffice to tell its type.
    public static let sniffedByteCount = 256

    /// All types that are recognised by the first bytes of a file.
    public static var known: [ContentType] { HeadFormats.all.flatMap { $0.contentTypes } }

    /// Recognises the image type by the first bytes of a file, whatever its name says; nil for anything else.
    ///
    /// - Parameter bytes: the start of the file; bytes after the first `sniffedByteCount` make no difference.
    public init?(sniffing bytes: [UInt8]) {
        guard let found = HeadFormats.format(of: FileStart(bytes: bytes)) else { return nil }
        self = found.type
    }

    /// Recognises the image type by the first bytes of `source`; nil for anything but an image.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    public init?(sniffing source: any ByteSource) throws(ByteSourceError) {
        self.init(sniffing: try source.bytes(in: 0..<Self.sniffedByteCount))
    }
}
