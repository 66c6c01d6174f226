import ThumbwheelCore

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
