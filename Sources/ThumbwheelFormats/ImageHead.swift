import ThumbwheelCore

/// The facts in the header of an image file, which are read without decoding a pixel.
public struct ImageHead: Sendable, Equatable {
    /// The type that the bytes of the file show, whatever the file's name says.
    public var contentType: ContentType
    /// The size of the pixels as they are stored, before `orientation`.
    public var storedSize: PixelSize
    /// How the stored pixels are turned to stand upright.
    public var orientation: ImageOrientation
    /// When the photograph was taken (EXIF DateTimeOriginal, else DateTimeDigitized, else DateTime).
    public var captureDate: CaptureDate?
    /// Smaller renderings of the photograph inside the file, in increasing order of their byte counts. The picture of a
    /// RAW file is its largest preview; `storedSize` and `jpeg` describe that preview.
    public var previews: [EmbeddedPreview]
    /// The embedded ICC profile; nil if there is none, or if it is damaged.
    public var profile: EmbeddedProfile?
    /// How a JPEG is coded; nil for other types.
    public var jpeg: JPEGCoding?
    /// The coding of a TIFF's first page; nil for other types, and for a RAW file, because its embedded JPEG is shown.
    public var tiff: TIFFCoding?
    /// The coding of a HEIF or AVIF file's picture; nil for other types.
    public var heif: HEIFCoding?
    /// Whether the picture has an alpha channel.
    public var hasAlpha: Bool
    /// Whether colours were multiplied by their alpha (a `prem` reference of a HEIF file). A TIFF file states this by
    /// the kind of its extra sample instead.
    public var hasPremultipliedAlpha: Bool
    /// Whether a PNG is interlaced. Such a picture is decoded as a whole.
    public var isInterlaced: Bool
    /// Whether the picture of a WebP is coded without loss. Its decoder needs more memory than that of other pictures.
    public var isLossless: Bool
    /// The number of bits per sample of the widest channel; palette images count as the 8 bits of their palette.
    public var bitsPerChannel: Int
    /// The number of pictures in the file, counted up to the reader's limit; more than 1 for animations and multi-page
    /// files.
    public var frameCount: Int
    /// The colours of the image according to EXIF, which apply if there is no profile; nil if EXIF states none.
    public var exifColorSpace: EXIFColorSpace?
    /// The colours that the container states as code points; nil if it states none. They take precedence over the
    /// profile of a PNG, but not over the profile of a HEIF file.
    public var codedColor: CodingIndependentColor?

    /// The number of samples of a video, each of which has an entry in the index that a decoder builds in memory. It is
    /// rounded up by an eighth at most, so that the heads of many videos are alike; 0 if the header does not tell it,
    /// and for other files.
    package var indexCount = 0

    /// Makes the value from facts that are already known.
    public init(
        contentType: ContentType, storedSize: PixelSize, orientation: ImageOrientation = .up,
        captureDate: CaptureDate? = nil, previews: [EmbeddedPreview] = [], profile: EmbeddedProfile? = nil,
        jpeg: JPEGCoding? = nil, tiff: TIFFCoding? = nil, heif: HEIFCoding? = nil, hasAlpha: Bool = false,
        hasPremultipliedAlpha: Bool = false, isInterlaced: Bool = false, isLossless: Bool = false,
        bitsPerChannel: Int = 8, frameCount: Int = 1,
        exifColorSpace: EXIFColorSpace? = nil, codedColor: CodingIndependentColor? = nil
    ) {
        self.contentType = contentType
        self.storedSize = storedSize
        self.orientation = orientation
        self.captureDate = captureDate
        self.previews = previews.sorted { $0.byteRange.length < $1.byteRange.length }
        self.profile = profile
        self.jpeg = jpeg
        self.tiff = tiff
        self.heif = heif
        self.hasAlpha = hasAlpha
        self.hasPremultipliedAlpha = hasPremultipliedAlpha
        self.isInterlaced = isInterlaced
        self.isLossless = isLossless
        self.bitsPerChannel = bitsPerChannel
        self.frameCount = frameCount
        self.exifColorSpace = exifColorSpace
        self.codedColor = codedColor
    }

    /// The preview that costs the least to read.
    public var preview: EmbeddedPreview? { previews.first }

    /// The size in which the image is shown.
    public var displaySize: PixelSize { orientation.displaySize(of: storedSize) }
}
