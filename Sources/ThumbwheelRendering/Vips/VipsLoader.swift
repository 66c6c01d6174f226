import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// The loaders of libvips that bytes from anywhere may reach; libvips's own choice of one is never used.
enum VipsLoader {
    case jpeg, png, webp, gif, tiff, heif
    /// The first thumbnail item of a HEIF file.
    case heifThumbnail

    /// - Returns: nil for types that are not on the list.
    init?(_ type: ContentType) {
        switch type {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webp: self = .webp
        case .gif: self = .gif
        case .tiff: self = .tiff
        case .heic, .avif: self = .heif
        default: return nil
        }
    }

    /// - Returns: nil also for a file of a supported type whose coding libvips does not read.
    init?(_ head: ImageHead) {
        if head.contentType == .tiff, head.tiff?.isOldJPEG == true { return nil }
        self.init(head.contentType)
    }

    /// How much damage a loader puts up with.
    enum Tolerance {
        /// Any sign of damage ends the decode. For JPEG that includes warnings, because libjpeg only warns where the
        /// data of a whole lower half are missing; other loaders' warnings are about metadata.
        case none
        /// What cannot be decoded is left neutral grey.
        case all
    }

    /// Opens an image without decoding pixels yet, as far as the loader can; nil where it fails.
    ///
    /// - Parameter eighths: one of `RenditionGeometry.naturalEighths(for:)`.
    func open(_ source: UnsafeMutablePointer<VipsSource>, eighths: Int, tolerance: Tolerance) -> VipsHandle? {
        let strictness: VipsFailOn =
            switch tolerance {
            case .all: VIPS_FAIL_ON_NONE
            case .none: self == .jpeg ? VIPS_FAIL_ON_WARNING : VIPS_FAIL_ON_ERROR
            }
        return VipsHandle { out in
            switch self {
            case .jpeg: tw_vips_jpegload(source, out, Int32(8 / eighths), strictness)
            case .png: tw_vips_pngload(source, out, strictness)
            case .webp: tw_vips_webpload(source, out, Double(eighths) / 8, strictness)
            case .gif: tw_vips_gifload(source, out, strictness)
            case .tiff: tw_vips_tiffload(source, out, strictness)
            case .heif: tw_vips_heifload(source, out, strictness)
            case .heifThumbnail: tw_vips_heifload_thumbnail(source, out, strictness)
            }
        }
    }

    /// Whether the loader turns the image upright itself.
    var appliesOrientation: Bool { self == .heif || self == .heifThumbnail }
}
