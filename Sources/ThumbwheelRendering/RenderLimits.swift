/// The limits of the cost of a single rendering. Each limit has its own error. The error is thrown before any decoding
/// if the file's header shows that the limit is exceeded.
public struct RenderLimits: Sendable, Hashable {
    /// The largest number of pixels of the image as it is stored in the file.
    public var pixelCount: Int
    /// The largest length of the file in bytes.
    public var byteCount: Int
    /// The largest number of pictures in an animation, or of pages in a document. Only the first of them is rendered.
    /// The pictures of a GIF, TIFF or WebP are counted only up to 1 001. So with a limit above 1 000, these files are
    /// accepted whatever the number of their pictures.
    public var frameCount: Int
    /// The largest number of bytes that a decoder may keep in memory for a whole image, as predicted from the file's
    /// header. Decoders that work row by row keep almost none.
    public var memoryByteCount: Int
    /// The longest time that a rendering may take, counted from its start.
    public var duration: Duration

    /// Makes limits; the defaults are 268 megapixels, 256 MiB, 1 000 frames, 1 GiB and 30 seconds.
    public init(
        pixelCount: Int = 268_000_000, byteCount: Int = 256 << 20, frameCount: Int = 1000,
        memoryByteCount: Int = 1 << 30, duration: Duration = .seconds(30)
    ) {
        self.pixelCount = pixelCount
        self.byteCount = byteCount
        self.frameCount = frameCount
        self.memoryByteCount = memoryByteCount
        self.duration = duration
    }
}
