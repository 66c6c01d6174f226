/// What kind of data a resource holds, named by its Internet media type.
public struct ContentType: Hashable, Sendable, Codable, RawRepresentable {
    /// The media type, for instance `image/jpeg`.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let jpeg = ContentType(rawValue: "image/jpeg")
    public static let png = ContentType(rawValue: "image/png")
    public static let webp = ContentType(rawValue: "image/webp")
    public static let gif = ContentType(rawValue: "image/gif")
    public static let tiff = ContentType(rawValue: "image/tiff")
    public static let heic = ContentType(rawValue: "image/heic")
    public static let avif = ContentType(rawValue: "image/avif")
    public static let bmp = ContentType(rawValue: "image/bmp")

    /// The usual extension of a file name, without the dot; nil for types without one.
    public var filenameExtension: String? {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .png, .webp, .gif, .heic, .avif, .bmp: String(rawValue.dropFirst("image/".count))
        default: nil
        }
    }
}

extension ContentType: CustomStringConvertible {
    public var description: String { rawValue }
}
