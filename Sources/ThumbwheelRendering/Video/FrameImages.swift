import ThumbwheelCore

/// The images that have been made of one frame of a video.
struct FrameImages {
    /// The images by their options, in which no time is stated.
    private var known: [RenderOptions: RenderedImage] = [:]

    /// Returns images of the frame. Images that are known are copied, and the others are made.
    ///
    /// - Parameter make: makes an image for each of some options.
    /// - Returns: an image for each of the options, in the same order.
    mutating func images(
        for options: [RenderOptions],
        make: ([RenderOptions]) throws(RenderError) -> [RenderedImage]
    ) throws(RenderError) -> [RenderedImage] {
        let keys = options.map { options in
            var key = options
            key.frameTime = nil
            return key
        }
        var images = keys.map { known[$0]?.copy() }
        let missing = images.indices.filter { images[$0] == nil }
        let made = missing.isEmpty ? [] : try make(missing.map { options[$0] })
        for (index, image) in zip(missing, made) {
            images[index] = image
            known[keys[index]] = image
        }
        return images.map { $0! }
    }
}

extension RenderedImage {
    /// The same image, with pixels in memory of their own. A cache finds out from the references to the pixels whether
    /// anybody uses an image, so that two images never share them.
    fileprivate func copy() -> RenderedImage {
        var image = self
        image.bitmap = bitmap.withUnsafeBytes { bytes in
            Bitmap(size: bitmap.size, format: bitmap.format) { $0.copyMemory(from: bytes) }
        }
        return image
    }
}
