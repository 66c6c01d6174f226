import ThumbwheelCore

/// A file format. It recognises its files by their first bytes, and reads their heads: the facts that need no decoding.
protocol HeadFormat: SendableMetatype {
    /// The types that files of the format have.
    static var contentTypes: [ContentType] { get }

    /// Returns the type of a file that begins with `start`; nil if the file is of another format.
    static func contentType(of start: FileStart) -> ContentType?

    /// Reads the head of a file.
    ///
    /// - Parameters:
    ///   - type: the type that was recognised by the first bytes.
    ///   - metadata: receives the parts of the file that do not belong to the head, such as the place of an XMP packet.
    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead
}
