import ThumbwheelCore

/// A format whose heads are read: how its files begin, and what reads their facts.
protocol HeadFormat: SendableMetatype {
    /// The types that files of the format have.
    static var contentTypes: [ContentType] { get }

    /// The type of a file that begins so; nil if the file is of another format.
    static func contentType(of start: FileStart) -> ContentType?

    /// Reads the head of a file.
    ///
    /// - Parameter type: the type that the file's beginning tells.
    static func read(_ reader: inout HeadReader, as type: ContentType) throws(HeadError) -> ImageHead
}
