import ThumbwheelCore
import ThumbwheelFormats

extension ImageHead {
    /// In a RAW file, the camera's own rendering, which is all that is shown of it; nil where it holds none, and for other
    /// types.
    var rawPicture: EmbeddedPreview? {
        guard contentType.isRAW else { return nil }
        return previews.first { $0.pixelSize == storedSize }
    }

    /// The head of what is decoded: of a RAW file's picture as if it were a file, and of any other file its own.
    var ofPicture: ImageHead {
        guard let picture = rawPicture else { return self }
        var head = self
        head.contentType = picture.contentType
        head.previews = previews.filter { $0 != picture }
        return head
    }
}

extension Renderer {
    /// Renders the picture in a RAW file like the file it is.
    func renderPicture(
        _ picture: EmbeddedPreview, in source: any ByteSource, head: ImageHead, options: [RenderOptions],
        limits: RenderLimits, guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> [RenderedImage] {
        let images = try RenderJob.run(
            SubrangeByteSource(source, range: picture.byteRange), head: head.ofPicture, options: options,
            limits: limits, guardian: guardian, makesThumbHash: makesThumbHash)
        return images.map { image in
            var image = image
            image.source = .embedded
            return image
        }
    }
}
