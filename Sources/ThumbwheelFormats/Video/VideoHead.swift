import ThumbwheelCore

/// The facts in the head of a video file, read without decoding a picture.
public struct VideoHead: Sendable, Equatable {
    /// The type that the bytes of the file show, whatever the file's name says.
    public var contentType: ContentType
    /// The coding of the pictures, in lower-case letters: `h264`, `hevc`, `vp9`, `av1`, `mpeg4`, `mjpeg`, `prores` and others,
    /// as libav names them. The container's own name stands for a coding that this library does not know; nil if the container
    /// states none.
    public var codec: String?
    /// The size of the coded pictures, before `visibleRegion`, `pixelAspect` and `orientation`.
    public var codedSize: PixelSize
    /// The part of the coded pictures that is shown.
    public var visibleRegion: PixelRegion
    /// The shape of the coded pixels.
    public var pixelAspect: PixelAspect
    /// How the coded pictures are turned to stand upright.
    public var orientation: ImageOrientation
    /// The length in seconds; 0 if the file does not state it.
    public var duration: Double
    /// The average number of pictures in a second; nil if the file does not state it.
    public var frameRate: Double?
    /// When the video was recorded.
    public var captureDate: CaptureDate?
    /// The source of `captureDate`; nil without a date.
    public var dateSource: DateSource?
    /// Where the video was recorded.
    public var location: Location?
    /// The identifier that the two files of a Live Photo share (`com.apple.quicktime.content.identifier`).
    public var contentIdentifier: String?
    /// The time of a Live Photo's still in its video, in seconds from the beginning; nil if the file does not state it.
    public var stillTime: Double?
    /// The kinds of the video; each with the fact that shows it, for people.
    public var kinds: [PictureKind: String]
    /// The picture in the file that stands for the video.
    public var cover: EmbeddedPreview?
    /// Whether there is sound.
    public var hasSound: Bool
    /// The colours of the pictures according to the container, which may state none although the pictures' own coding does.
    public var codedColor: CodingIndependentColor?

    /// Makes the head of a video of which only the type and the size are known.
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

    /// The size in which the video is shown: that of the visible region with square pixels, upright. Pixels that are not square
    /// make the pictures wider or narrower, not higher.
    public var displaySize: PixelSize {
        orientation.displaySize(of: pixelAspect.squareSize(of: visibleRegion.size))
    }
}
