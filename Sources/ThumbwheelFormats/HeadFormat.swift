import ThumbwheelCore

/// A file format. It recognises its files by their first bytes, and reads the facts in their headers without decoding
/// pixels.
protocol HeadFormat: SendableMetatype {
    /// The types that files of the format have.
    static var contentTypes: [ContentType] { get }

    /// Returns the type of a file that begins with `start`; nil if the file is of another format.
    static func contentType(of start: FileStart) -> ContentType?

    /// Reads the header of a file.
    ///
    /// - Parameters:
    ///   - type: the type that was recognised by the first bytes.
    ///   - metadata: receives the parts of the file that do not belong in an `ImageHead`, such as the position of an
    ///     XMP packet.
    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead
}
