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

/// The formats whose heads are read. No file begins as two of them do.
enum HeadFormats {
    static let all: [any HeadFormat.Type] = [
        JPEGHead.self, PNGHead.self, WebPHead.self, GIFHead.self, TIFFHead.self, HEIFHead.self, BMPHead.self,
    ]

    /// The format of a file that begins so, and its type.
    static func format(of start: FileStart) -> (format: any HeadFormat.Type, type: ContentType)? {
        for format in all {
            if let type = format.contentType(of: start) { return (format, type) }
        }
        return nil
    }
}

/// The first bytes of a file.
struct FileStart {
    let bytes: [UInt8]

    /// Whether the file has these bytes at an offset.
    func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        bytes.dropFirst(offset).starts(with: expected)
    }

    /// Whether the file has the bytes of a text at an offset.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        has(text.withUTF8Buffer { [UInt8]($0) }, at: offset)
    }
}
