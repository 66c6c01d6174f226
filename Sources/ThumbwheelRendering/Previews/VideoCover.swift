import ThumbwheelCore
import ThumbwheelFormats

extension ImageHead {
    /// The cover picture in a video's file; nil if the file has none, and for files of other types. It is the only
    /// picture of a video that can be shown without a decoder of videos.
    package var videoCover: EmbeddedPreview? {
        // The kind is compared before the type, because that takes less time than comparing the type's text, and every
        // request reads this property.
        guard let first = previews.first, first.kind == .cover, contentType.isVideo else { return nil }
        return first
    }

    /// The head of the cover picture, as if the picture were a file of its own.
    func ofCover(_ cover: EmbeddedPreview) -> ImageHead {
        var head = self
        head.contentType = cover.contentType
        head.storedSize = cover.pixelSize ?? storedSize
        head.previews = []
        return head
    }
}

extension Renderer {
    /// Renders the cover picture in a video's file as if it were a file of its own.
    func renderCover(
        _ cover: EmbeddedPreview, in source: any ByteSource, options: [RenderOptions], limits: RenderLimits,
        makesThumbHash: Bool, cancellation: CancellationToken?
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        try render(
            SubrangeByteSource(source, range: cover.byteRange), options: options, limits: limits,
            makesThumbHash: makesThumbHash, cancellation: cancellation
        ).map { result in
            result.map { image in
                var image = image
                image.source = .embedded
                return image
            }
        }
    }
}
