import ThumbwheelCore
import ThumbwheelFormats

extension ImageHead {
    /// The cover picture in a video's file; nil if the file has none, and for files of other types. If no decoder of
    /// videos is installed, the cover is the only picture of the video that can be shown. If a decoder is installed,
    /// the cover serves as the degraded image (the quick first image of a request).
    package var videoCover: EmbeddedPreview? {
        // The kind is compared before the type, because that takes less time than comparing the type's text, and every
        // request reads this property.
        guard let first = previews.first, first.kind == .cover, contentType.isVideo else { return nil }
        return first
    }

    /// The cover picture in a video's file, which is shown in place of a frame if no decoder of videos is installed.
    /// Nil if a decoder is installed, or if the file has no cover picture.
    package var shownCover: EmbeddedPreview? { VideoDecoders.isInstalled ? nil : videoCover }

    /// Whether images of this file are made from a video's frames: it is a video, and a decoder of videos is installed.
    var isOfFrames: Bool { contentType.isVideo && VideoDecoders.isInstalled }

    /// Whether a video can be shown: by a frame, or by the cover picture in its file.
    package var isShownVideo: Bool { VideoDecoders.isInstalled || videoCover != nil }

    /// The number of bytes of the file that are read for an image:
    /// - For a video, if a decoder of videos is installed: the expected number of bytes of the video's index and of
    ///   some key frames.
    /// - For a video with a cover picture, if no decoder of videos is installed: the bytes of the cover picture.
    /// - For other files: all bytes.
    ///
    /// - Parameter byteCount: the length of the file.
    package func pictureByteCount(ofFile byteCount: Int) -> Int {
        if let cover = shownCover { return cover.byteRange.length }
        return isOfFrames ? VideoCodec.readByteCount(ofFile: byteCount) : byteCount
    }

    /// The facts of this head that hold for the video's frames. The coding and the colours of its cover picture are
    /// left out.
    var ofFrames: ImageHead {
        var head = ImageHead(contentType: contentType, storedSize: storedSize, previews: previews)
        head.indexCount = indexCount
        return head
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
