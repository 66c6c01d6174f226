import ThumbwheelCore

/// A description of the image to make from a file's bytes.
public struct RenderOptions: Sendable, Hashable {
    /// The size of the target in pixels; `.maximum` asks for one pixel for each pixel of the photograph.
    public var targetSize: PixelSize
    /// Whether the image lies inside the target or covers it.
    public var contentMode: ContentMode
    /// How exactly the target size is met.
    public var resizeMode: ResizeMode
    /// How much work goes into the rendering.
    public var quality: RenderQuality
    /// The part of the image to render, in display orientation; nil for all of it. Ignored unless `resizeMode` is
    /// exact.
    public var normalizedCropRect: NormalizedRect?
    /// The size of a high-quality decode, compared with the target in each direction.
    public var sampling = Sampling.standard
    /// Whether pixels are resampled in linear light.
    public var isLinear = false
    /// The range of light and colours that the pixels can represent. The format of the bitmap follows from it.
    public var pixelRange = PixelRange.standard
    /// Whether an image smaller than its target is enlarged.
    public var allowsUpscaling = false
    /// The time in a video, in seconds from its beginning, whose nearest key frame is shown. Nil for the first key frame
    /// that is neither black nor of one colour. Ignored for other files.
    public var frameTime: Double?
    /// Whether an image of quality `.fast` may be made from a preview in the file instead of the photograph, if the
    /// preview has at least as many pixels as the image.
    public var usesEmbeddedPreviews = true

    /// Makes options; by default the image covers the target exactly, at high quality.
    ///
    /// - Parameter configure: A closure that changes the options for which there is no argument.
    public init(
        targetSize: PixelSize, contentMode: ContentMode = .aspectFill, resizeMode: ResizeMode = .exact,
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
