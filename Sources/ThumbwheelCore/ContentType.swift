/// The kind of data in a resource, named by its Internet media type.
public struct ContentType: Hashable, Sendable, Codable, RawRepresentable {
    /// The media type, for instance `image/jpeg`.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// JPEG (ITU-T T.81).
    public static let jpeg = ContentType(rawValue: "image/jpeg")
    /// PNG (ISO/IEC 15948).
    public static let png = ContentType(rawValue: "image/png")
    /// WebP (RFC 9649).
    public static let webp = ContentType(rawValue: "image/webp")
    /// GIF, versions 87a and 89a.
    public static let gif = ContentType(rawValue: "image/gif")
    /// TIFF 6.0.
    public static let tiff = ContentType(rawValue: "image/tiff")
    /// HEIC: a HEIF file (ISO/IEC 23008-12) coded with HEVC.
    public static let heic = ContentType(rawValue: "image/heic")
    /// AVIF: a HEIF file coded with AV1.
    public static let avif = ContentType(rawValue: "image/avif")
    /// BMP: the bitmaps of Windows and OS/2.
    public static let bmp = ContentType(rawValue: "image/bmp")

    // The raw formats of cameras, which store sensor data in TIFF structures.
    /// Adobe's raw format, Digital Negative.
    public static let dng = ContentType(rawValue: "image/x-adobe-dng")
    /// Canon's raw format, version 2.
    public static let cr2 = ContentType(rawValue: "image/x-canon-cr2")
    /// Nikon's raw format.
    public static let nef = ContentType(rawValue: "image/x-nikon-nef")
    /// Sony's raw format.
    public static let arw = ContentType(rawValue: "image/x-sony-arw")

    /// Whether the file has raw sensor data. From such a file, only the camera's own rendering is shown.
    public var isRAW: Bool {
        // Every request calls this. The length alone decides for the common types, because they have shorter names.
        rawValue.utf8.count > 12 && [.dng, .cr2, .nef, .arw].contains(self)
    }

    /// Whether several pictures in a file of this type are the frames of an animation. In other types they are pages,
    /// or versions of one picture.
    public var holdsAnimations: Bool { [.gif, .webp, .png, .avif].contains(self) }

    /// The usual extension of a file name, without the dot; nil for types without one.
    public var filenameExtension: String? {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .dng, .cr2, .nef, .arw: String(rawValue.suffix(3))
        case .png, .webp, .gif, .heic, .avif, .bmp: String(rawValue.dropFirst("image/".count))
        default: videoFilenameExtension
        }
    }
}

extension ContentType: CustomStringConvertible {
    public var description: String { rawValue }
}
