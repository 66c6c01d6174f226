import ThumbwheelCore

/// A description of the image to make from a file's bytes.
public struct RenderOptions: Sendable, Hashable {
    /// The size of the target in pixels; `.maximum` asks for one pixel for each pixel of the photograph.
    public var targetSize: PixelSize
    /// Whether the image lies inside the target or covers it.
    public var contentMode: ContentMode
    /// Whether the image must have exactly the target size, may be larger, or is delivered as it is decoded.
    public var resizeMode: ResizeMode
    /// How much work goes into the rendering.
    public var quality: RenderQuality
    /// The part of the image to render, in display orientation; nil for all of it. Ignored unless `resizeMode` is
    /// exact.
    public var normalizedCropRect: NormalizedRect?
    /// The smallest size of the decode from which a high-quality image is made, as a multiple of the target's width and
    /// height. The decode is then reduced to the image. A photograph with fewer pixels is decoded at full size.
    public var sampling = Sampling.standard
    /// Whether pixels are resampled in linear light.
    public var isLinear = false
    /// The range of light and colours that the pixels can represent. The format of the bitmap follows from it.
    public var pixelRange = PixelRange.standard
    /// Whether an image smaller than its target is enlarged.
    public var allowsUpscaling = false
    /// The time of the shown frame of a video, in seconds from the video's beginning. The key frame nearest to that
    /// time is shown or, if it is too far from it, the frame at the time. Nil for the first key frame that is neither black nor of one colour. Ignored for other files.
    public var frameTime: Double?
    /// Whether an image of quality `.fast` may be made from a preview in the file instead of the photograph, if the
    /// preview has at least as many pixels as the image.
    public var usesEmbeddedPreviews = true

    /// Makes options. By default, the image fills the target, is cropped to the target's aspect ratio, and has high
    /// quality.
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
