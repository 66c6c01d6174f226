import ThumbwheelCore
import ThumbwheelFormats

extension ImageHead {
    /// The cover picture in a video's file; nil if the file has none, and for files of other types. It is the only
    /// picture of a video that can be shown without a decoder of videos; with one, it is the degraded image.
    package var videoCover: EmbeddedPreview? {
        // The kind is compared before the type, because that takes less time than comparing the type's text, and every
        // request reads this property.
        guard let first = previews.first, first.kind == .cover, contentType.isVideo else { return nil }
        return first
    }

    /// The cover picture in a video's file, if it is shown in place of a frame, because no decoder of videos is installed.
    package var shownCover: EmbeddedPreview? { VideoDecoders.isInstalled ? nil : videoCover }

    /// Whether this is the head of a video whose frames can be decoded.
    var isOfFrames: Bool { contentType.isVideo && VideoDecoders.isInstalled }

    /// Whether a video can be shown: by a frame, or by the cover picture in its file.
    package var isShownVideo: Bool { VideoDecoders.isInstalled || videoCover != nil }

    /// The number of bytes that are read for an image: for a video, those of its cover picture, or of its index and some
    /// key frames; for other files, those of the whole file.
    ///
    /// - Parameter byteCount: the length of the file.
    package func pictureByteCount(ofFile byteCount: Int) -> Int {
        if let cover = shownCover { return cover.byteRange.length }
        return isOfFrames ? VideoCodec.readByteCount(ofFile: byteCount) : byteCount
    }

    /// The head of a video's frames, without the facts about the coding and the colours of its cover picture.
    var ofFrames: ImageHead { ImageHead(contentType: contentType, storedSize: storedSize, previews: previews) }

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
