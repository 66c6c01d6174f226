import ThumbwheelCore
import ThumbwheelFormats

extension Renderer {
    /// More than a hash has in it, and less than the previews that cameras put into their files.
    private static let hashTarget = PixelSize(width: 64, height: 64)

    /// The hash of an image file, of a preview in it where there is one that shows the same.
    ///
    /// - Throws: what `render` throws, and `.truncated` where only a part of the image is there.
    public func thumbHash(
        of source: any ByteSource, head: ImageHead? = nil, limits: RenderLimits = RenderLimits(),
        cancellation: CancellationToken? = nil
    ) throws(RenderError) -> ThumbHash {
        let options = RenderOptions(targetSize: Self.hashTarget, contentMode: .fit, quality: .fast)
        let image = try render(source, head: head, options: options, limits: limits, cancellation: cancellation)
        guard !image.isPartial else { throw .truncated(decodedFraction: 0) }
        return ThumbHash(image.bitmap)
    }
}
