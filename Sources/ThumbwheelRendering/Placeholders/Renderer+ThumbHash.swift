import ThumbwheelCore
import ThumbwheelFormats

extension Renderer {
    /// The size of the image that a hash is made from. It is larger than the detail of a hash requires, and smaller
    /// than the previews that cameras put into their files, so that the hash can be made from a preview.
    private static let hashTarget = PixelSize(width: 64, height: 64)

    /// Makes the placeholder hash of an image file. A preview in the file is used instead of the photograph if it shows
    /// the same picture as the photograph.
    ///
    /// - Throws: the errors of `render`, and `.truncated` if only a part of the image could be decoded.
    public func thumbHash(
        of source: any ByteSource, head: ImageHead? = nil, limits: RenderLimits = RenderLimits(),
        cancellation: CancellationToken? = nil
    ) throws(RenderError) -> ThumbHash {
        let options = RenderOptions(targetSize: Self.hashTarget, contentMode: .aspectFit, quality: .fast)
        let image = try render(source, head: head, options: options, limits: limits, cancellation: cancellation)
        guard !image.isPartial else { throw .truncated(decodedFraction: 0) }
        return ThumbHash(image.bitmap)
    }
}
