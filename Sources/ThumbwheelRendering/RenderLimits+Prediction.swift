import ThumbwheelCore
import ThumbwheelFormats

extension RenderLimits {
    /// Returns whether the limits are certain to make a rendering fail before it allocates any memory. If so, the
    /// caller need not make room in memory for the rendering.
    ///
    /// - Parameters:
    ///   - head: the facts in the file's header.
    ///   - geometry: the geometry of the rendition that `options` describe.
    ///   - byteCount: the file's length; for a video, the bytes that are read of it (`pictureByteCount(ofFile:)`).
    package func areCertainlyExceeded(
        by head: ImageHead, options: RenderOptions, geometry: RenditionGeometry, byteCount: Int
    ) -> Bool {
        let head = head.contentType.isVideo ? head.ofPicture : head
        if byteCount > self.byteCount || head.storedSize.pixelCount > pixelCount || head.frameCount > frameCount {
            return true
        }
        if geometry.outputSize.pixelCount > pixelCount { return true }
        // Returns false for two kinds of renderings. The memory that they need is not certain before they begin:
        // - A rendering that may use a preview in place of the photograph. With the preview, it needs less memory.
        // - A rendering of a RAW file. It decodes a picture inside the file, which the header does not describe.
        let mayServePreview = options.quality == .fast && options.usesEmbeddedPreviews && !head.previews.isEmpty
        guard !mayServePreview, !head.contentType.isRAW else { return false }
        guard let chosen = head.chosenDecoder else { return false }
        let memory = chosen.memory(for: head, eighths: geometry.decodeEighths, byteCount: byteCount)
        return memory.minimumLimit > memoryByteCount
    }
}
