import ThumbwheelCore

/// A small rendering of the photograph inside its own file.
public struct EmbeddedPreview: Sendable, Hashable {
    /// The structure of a file in which a preview is stored.
    public enum Kind: String, Sendable {
        /// The preview is in EXIF's second directory (IFD1).
        case exif
        /// The preview is listed in the index of a multi-picture file (CIPA DC-007), and comes after the photograph
        /// itself.
        case multiPicture
        /// The preview is a thumbnail item of a HEIF file (ISO/IEC 23008-12, 6.4.4). Its data is not a file of its own;
        /// the header of the HEIF file describes it.
        case heifThumbnail
        /// The preview is in a directory of a TIFF or RAW file.
        case raw
        /// The preview is the cover picture of a video file.
        case cover
    }

    /// The structure in which the preview is stored.
    public var kind: Kind
    /// The place of the preview's bytes in the file.
    public var byteRange: Range<Int>
    /// The format of the preview's bytes.
    public var contentType: ContentType
    /// The size of the preview as stored; nil if the preview's header is not found near its beginning.
    public var pixelSize: PixelSize?
    /// The part of the file that a decoder needs besides the file's first bytes and `byteRange`; nil if the preview is
    /// a file of its own.
    public var container: Range<Int>?

    /// Makes a description of a preview.
    public init(
        kind: Kind = .exif, byteRange: Range<Int>, contentType: ContentType, pixelSize: PixelSize? = nil,
        container: Range<Int>? = nil
    ) {
        self.kind = kind
        self.byteRange = byteRange
        self.contentType = contentType
        self.pixelSize = pixelSize
        self.container = container
    }

    /// The number of bytes that are read to render the preview. It saturates instead of overflowing, because a file may
    /// state any range.
    public var byteCount: Int {
        let (sum, overflows) = byteRange.length.addingReportingOverflow(container?.length ?? 0)
        return overflows ? .max : sum
    }
}

extension Range<Int> {
    /// The number of bytes in the range. `count` would overflow for a range that begins far below 0.
    package var length: Int {
        let (length, overflows) = upperBound.subtractingReportingOverflow(lowerBound)
        return overflows ? .max : length
    }
}
