import ThumbwheelCore

/// The facts in the header of a video file, which are read without decoding a frame.
public struct VideoHead: Sendable, Equatable {
    /// The type that the bytes of the file show, whatever the file's name says.
    public var contentType: ContentType
    /// The codec of the frames in lower-case letters, as libav spells it: `h264`, `hevc`, `vp9`, `av1`, `mpeg4`,
    /// `mjpeg`, `prores` and others. For a codec that this library does not know, it is the name in the container; nil
    /// if the container states none.
    public var codec: String?
    /// The size of the coded frames, before `visibleRegion`, `pixelAspect` and `orientation` are applied.
    public var codedSize: PixelSize
    /// The part of the coded frames that is shown.
    public var visibleRegion: PixelRegion
    /// The aspect ratio of the coded pixels.
    public var pixelAspect: PixelAspect
    /// How the coded frames are turned to stand upright.
    public var orientation: ImageOrientation
    /// The duration in seconds; 0 if the file does not state it.
    public var duration: Double
    /// The average number of frames per second; nil if the file does not state it.
    public var frameRate: Double?
    /// When the video was recorded.
    public var captureDate: CaptureDate?
    /// The source of `captureDate`; nil without a date.
    public var dateSource: DateSource?
    /// Where the video was recorded.
    public var location: Location?
    /// The identifier that the photograph and the video of a Live Photo share
    /// (`com.apple.quicktime.content.identifier`).
    public var contentIdentifier: String?
    /// The time of a Live Photo's still in its video, in seconds from the beginning; nil if the file does not state it.
    public var stillTime: Double?
    /// The kinds of the video, each with the fact in the file that shows it, in words.
    public var kinds: [PictureKind: String]
    /// The cover picture in the file, which represents the video.
    public var cover: EmbeddedPreview?
    /// Whether the video has sound.
    public var hasSound: Bool
    /// The colours of the frames as stated by the container; nil if it states none. The coded frames may then still
    /// state them.
    public var codedColor: CodingIndependentColor?

    /// The number of entries that an index of all tracks in a QuickTime, MP4 or 3GPP file has at most, which a decoder
    /// builds in memory; 0 for other files. Samples in fragments are not counted.
    package var indexCount = 0
    /// The number of samples of all tracks: the entries of that index, unless lists of edits repeat samples.
    package var sampleCount = 0
    /// The positions of the boxes of sound tracks in a QuickTime, MP4 or 3GPP file.
    package var soundTracks: [Int] = []
    /// Whether the movie goes on in fragments, each with an index of its own.
    package var isFragmented = false
    /// Whether the file ends before its header says that it ends. QuickTime, MP4 and 3GPP files do not say so.
    package var isCutShort = false

    /// Makes the value for a video of which only the type and the size are known.
    public init(contentType: ContentType, codedSize: PixelSize) {
        self.contentType = contentType
        self.codedSize = codedSize
        visibleRegion = PixelRegion(of: codedSize)
        pixelAspect = .square
        orientation = .up
        duration = 0
        kinds = [:]
        hasSound = false
    }

    /// The size in which the video is shown: that of the visible region, with square pixels, upright. If the coded
    /// pixels are not square, the width changes and not the height.
    public var displaySize: PixelSize {
        orientation.displaySize(of: pixelAspect.squareSize(of: visibleRegion.size))
    }
}
