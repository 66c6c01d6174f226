import ThumbwheelCore

/// A file format whose heads can be read: it recognises files by their first bytes, and reads the facts in their heads.
protocol HeadFormat: SendableMetatype {
    /// The types that files of the format have.
    static var contentTypes: [ContentType] { get }

    /// Returns the type of a file that begins with `start`; nil if the file is of another format.
    static func contentType(of start: FileStart) -> ContentType?

    /// Reads the head of a file.
    ///
    /// - Parameters:
    ///   - type: the type that was recognised by the first bytes.
    ///   - metadata: takes the parts of the file that the head leaves unread.
    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead
}
