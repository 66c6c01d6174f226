import ThumbwheelCore
import ThumbwheelFormats

extension RenderLimits {
    /// Whether a rendering is certain to fail because of the limits, before it takes any memory. If so, the caller need
    /// not make room in memory for the rendering.
    ///
    /// - Parameters:
    ///   - head: the facts in the file's header.
    ///   - geometry: the geometry of the rendition that `options` describe.
    ///   - byteCount: the file's length; for a video, the bytes that are read of it (`pictureByteCount(ofFile:)`).
    package func refuse(
        _ head: ImageHead, options: RenderOptions, geometry: RenditionGeometry, byteCount: Int
    ) -> Bool {
        let head = head.contentType.isVideo ? head.ofPicture : head
        if byteCount > self.byteCount || head.storedSize.pixelCount > pixelCount || head.frameCount > frameCount {
            return true
        }
        if geometry.outputSize.pixelCount > pixelCount { return true }
        // The memory cannot be predicted from the file's header in two cases. A preview may be used instead of the
        // photograph, and needs less memory. A RAW file is shown by a picture inside it, which the header does not
        // describe.
        let mayServePreview = options.quality == .fast && options.usesEmbeddedPreviews && !head.previews.isEmpty
        guard !mayServePreview, !head.contentType.isRAW else { return false }
        guard let chosen = head.chosenDecoder else { return false }
        let memory = chosen.memory(for: head, eighths: geometry.decodeEighths, byteCount: byteCount)
        return memory.certain > memoryByteCount
    }
}
