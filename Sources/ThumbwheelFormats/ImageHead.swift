import ThumbwheelCore

/// The facts in the head of an image file, read without decoding a pixel.
public struct ImageHead: Sendable, Equatable {
    /// The type that the bytes show, whatever the file's name says.
    public var contentType: ContentType
    /// The size of the pixels as they are stored, before `orientation`.
    public var storedSize: PixelSize
    /// How the stored pixels are turned to stand upright.
    public var orientation: ImageOrientation
    /// When the photograph was taken (EXIF DateTimeOriginal, else DateTimeDigitized, else DateTime).
    public var captureDate: CaptureDate?
    /// Smaller renderings of the photograph inside the file, in increasing order of their bytes. The largest one of a RAW
    /// file is its picture: `storedSize` and `jpeg` are that one's.
    public var previews: [EmbeddedPreview]
    /// The embedded ICC profile; nil if there is none, or if it is damaged.
    public var profile: EmbeddedProfile?
    /// How a JPEG is coded; nil for other types.
    public var jpeg: JPEGCoding?
    /// The coding of a TIFF's first page; nil for other types, and for a RAW file, of which a JPEG is shown.
    public var tiff: TIFFCoding?
    /// The coding of a HEIF or AVIF file's picture; nil for other types.
    public var heif: HEIFCoding?
    /// Whether the picture has an alpha channel.
    public var hasAlpha: Bool
    /// Whether colours were multiplied by their alpha (a `prem` reference of a HEIF file). A TIFF states it by the kind
    /// of its extra sample instead.
    public var hasPremultipliedAlpha: Bool
    /// Bits per sample of the widest channel; palette images count as the 8 bits of their palette.
    public var bitsPerChannel: Int
    /// Pictures in the file: more than 1 for animations and multi-page files; counted up to the reader's bound.
    public var frameCount: Int
    /// The colours of the image according to EXIF, which count if there is no profile; nil if EXIF is silent.
    public var exifColorSpace: EXIFColorSpace?
    /// The colours that the container states as code points; nil if it states none. They count before a PNG's profile,
    /// but after a HEIF file's.
    public var codedColor: CodingIndependentColor?

    /// Makes a head of facts that are known already.
    public init(
        contentType: ContentType, storedSize: PixelSize, orientation: ImageOrientation = .up,
        captureDate: CaptureDate? = nil, previews: [EmbeddedPreview] = [], profile: EmbeddedProfile? = nil,
        jpeg: JPEGCoding? = nil, tiff: TIFFCoding? = nil, heif: HEIFCoding? = nil, hasAlpha: Bool = false,
        hasPremultipliedAlpha: Bool = false, bitsPerChannel: Int = 8, frameCount: Int = 1,
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

/// The colour space that EXIF declares: its tag 0xA001, and the interoperability index `R03` for Adobe RGB.
public enum EXIFColorSpace: String, Sendable {
    /// The tag states sRGB.
    case sRGB
    /// The tag or the interoperability index states Adobe RGB.
    case adobeRGB
    /// The tag states that the colours are in neither space.
    case uncalibrated
}

/// An ICC profile inside an image file.
public struct EmbeddedProfile: Sendable, Equatable {
    /// The name that the profile gives itself (its description tag), if it could be read.
    public var name: String?
    /// The profile's four-letter colour space: `RGB`, `GRAY`, `CMYK`, … without trailing spaces.
    public var colorSpace: String
    /// Bytes that it takes in the file; those of a PNG are compressed.
    public var byteCount: Int

    /// Makes a description of a profile.
    public init(name: String?, colorSpace: String, byteCount: Int = 0) {
        self.name = name
        self.colorSpace = colorSpace
        self.byteCount = byteCount
    }
}

/// How a JPEG is coded, from its frame header (ITU-T T.81, B.2.2).
public struct JPEGCoding: Sendable, Equatable {
    /// The coding process of the frame, from the type of its header (SOF marker).
    public enum Process: String, Sendable {
        /// Baseline sequential DCT.
        case baseline
        /// Extended sequential DCT.
        case extendedSequential
        /// Progressive DCT.
        case progressive
        /// Lossless.
        case lossless
        /// Frames that refine one another.
        case hierarchical
    }

    /// The coding process.
    public var process: Process
    /// Whether the entropy coding is arithmetic instead of Huffman.
    public var isArithmetic: Bool
    /// Sampling factors, horizontal and vertical, of each component in the frame header's order.
    public var samplingFactors: [SamplingFactor]
    /// Minimum coded units between restart markers; 0 for none.
    public var restartInterval: Int

    /// The sampling factors of one component: its resolution in comparison with the others.
    public struct SamplingFactor: Sendable, Equatable {
        /// The horizontal factor, 1 to 4.
        public var horizontal: Int
        /// The vertical factor, 1 to 4.
        public var vertical: Int

        /// Makes a pair of factors.
        public init(horizontal: Int, vertical: Int) {
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    /// Makes a description of a coding.
    public init(process: Process, isArithmetic: Bool, samplingFactors: [SamplingFactor], restartInterval: Int) {
        self.process = process
        self.isArithmetic = isArithmetic
        self.samplingFactors = samplingFactors
        self.restartInterval = restartInterval
    }
}
