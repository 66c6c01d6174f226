import ThumbwheelCore

/// The two ways to place an image in its target; see <doc:Semantics#Target-sizes>.
public enum ContentMode: String, Sendable, Hashable, CaseIterable {
    /// The whole image, inside the target.
    case fit
    /// The target wholly covered; what protrudes is cut off where the resize mode is exact.
    case fill
}

/// The ways to meet a target size; see <doc:Semantics#Resize-modes>.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
    /// The smallest natural decode scale that is not below the target; no resampling, no crop.
    case none
    /// The aspect kept, no crop; at least the target and less than twice it.
    case fast
    /// The target, to the pixel.
    case exact
}

/// How much work goes into a rendering.
public enum RenderQuality: String, Sendable, Hashable, CaseIterable {
    /// The smallest decode that covers the target, of a progressive file without the last bits of its finer coefficients; of
    /// a damaged file, what there is of it.
    case fast
    /// A decode of ample resolution; a damaged file is an error.
    case high
}

/// How far above the target a high-quality decode lies.
public enum Sampling: String, Sendable, Hashable, CaseIterable {
    /// A decode of at least twice the target, as far as there are pixels.
    case standard
    /// A larger decode still, for a little more sharpness at a cost in time.
    case best
}

/// A description of the image to make from a file's bytes.
public struct RenderOptions: Sendable, Hashable {
    /// The target in pixels; `.maximum` for the largest rendering.
    public var targetSize: PixelSize
    /// Whether the image lies inside the target or covers it.
    public var contentMode: ContentMode
    /// How exactly the target size is met.
    public var resizeMode: ResizeMode
    /// How much work goes into the rendering.
    public var quality: RenderQuality
    /// The part of the image to render, in display orientation; nil for all of it. Ignored unless `resizeMode` is exact.
    public var normalizedCropRect: NormalizedRect?
    /// How far above the target a high-quality decode lies.
    public var sampling = Sampling.standard
    /// Resample in linear light.
    public var isLinear = false
    /// Whether an image smaller than its target is enlarged.
    public var allowsUpscaling = false
    /// Whether a final image of quality `.fast` may come from a preview in the file that has at least its pixels.
    public var usesEmbeddedPreviews = true

    /// Makes options; by default the image covers the target exactly, at high quality.
    ///
    /// - Parameter configure: Changes the options that are no arguments.
    public init(
        targetSize: PixelSize, contentMode: ContentMode = .fill, resizeMode: ResizeMode = .exact,
        quality: RenderQuality = .high, normalizedCropRect: NormalizedRect? = nil,
        _ configure: (inout RenderOptions) -> Void = { _ in }
    ) {
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.resizeMode = resizeMode
        self.quality = quality
        self.normalizedCropRect = normalizedCropRect
        configure(&self)
    }
}

/// The most that a single rendering may cost. Each limit has its own error, thrown before the cost is paid where the
/// head of the file tells.
public struct RenderLimits: Sendable, Hashable {
    /// Pixels as stored in the file.
    public var pixelCount: Int
    /// Bytes of the file.
    public var byteCount: Int
    /// Pictures of an animation and pages of a document, of which the first is rendered. Heads count no more than 1 001.
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
