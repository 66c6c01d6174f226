/// The most that a single rendering may cost. Each limit has its own error, thrown before the cost is paid where the
/// head of the file tells.
public struct RenderLimits: Sendable, Hashable {
    /// Pixels as stored in the file.
    public var pixelCount: Int
    /// Bytes of the file.
    public var byteCount: Int
    /// The most pictures in an animation, or pages in a document. Only the first is rendered. Heads count up to 1 001.
    public var frameCount: Int
    /// Bytes that a decoder may hold for the whole of an image, as the head predicts: formats that are decoded row by
    /// row need next to none.
    public var memoryByteCount: Int
    /// The longest time from the start of the decode to its end.
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
