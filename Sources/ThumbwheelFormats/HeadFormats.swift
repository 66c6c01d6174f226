import ThumbwheelCore

/// The formats whose headers can be read. The first bytes of a file never match two of them.
enum HeadFormats {
    static let all: [any HeadFormat.Type] = [
        JPEGHead.self, PNGHead.self, WebPHead.self, GIFHead.self, TIFFHead.self, HEIFHead.self, BMPHead.self,
    ]

    /// Returns the format and the type of a file that begins with `start`; nil if the file is of no known format.
    static func format(of start: FileStart) -> (format: any HeadFormat.Type, type: ContentType)? {
        for format in all {
            if let type = format.contentType(of: start) { return (format, type) }
        }
        return nil
    }
}
