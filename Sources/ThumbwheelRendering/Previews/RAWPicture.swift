import ThumbwheelCore
import ThumbwheelFormats

extension ImageHead {
    /// The picture that the camera itself has made of a RAW file's data. It is the only picture in the file that this
    /// library shows. Nil if the RAW file has no such picture, and for files of other types.
    var rawPicture: EmbeddedPreview? {
        guard contentType.isRAW else { return nil }
        return previews.first { $0.pixelSize == storedSize }
    }

    /// The head of the picture that is decoded. For a RAW file, and for a video whose cover picture is shown, it
    /// describes the picture inside as if that picture were a file of its own. For a video whose frames are decoded, it
    /// describes the frames. For any other file, it is this head.
    var ofPicture: ImageHead {
        if isOfFrames { return ofFrames }
        if let cover = videoCover { return ofCover(cover) }
        guard let picture = rawPicture else { return self }
        var head = self
        head.contentType = picture.contentType
        head.previews = previews.filter { $0 != picture }
        return head
    }
}

extension Renderer {
    /// Renders the picture that a RAW file contains as if it were a file of its own.
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
