import ThumbwheelCore
import ThumbwheelFormats

extension RenderLimits {
    /// Whether the limits are certain to refuse a rendering before it takes any memory. No memory needs to be freed for
    /// such a rendering.
    ///
    /// - Parameters:
    ///   - head: the head of the file.
    ///   - geometry: the geometry of the rendition that `options` describe.
    ///   - byteCount: the file's length.
    package func refuse(
        _ head: ImageHead, options: RenderOptions, geometry: RenditionGeometry, byteCount: Int
    ) -> Bool {
        if byteCount > self.byteCount || head.storedSize.pixelCount > pixelCount || head.frameCount > frameCount {
            return true
        }
        if geometry.outputSize.pixelCount > pixelCount { return true }
        // A preview may serve instead, which needs less memory; and in a RAW file another picture is decoded than the head
        // describes.
        let mayServePreview = options.quality == .fast && options.usesEmbeddedPreviews && !head.previews.isEmpty
        guard !mayServePreview, !head.contentType.isRAW else { return false }
        guard let chosen = head.chosenDecoder else { return false }
        let memory = chosen.memory(for: head, eighths: geometry.decodeEighths, byteCount: byteCount)
        return memory.certain > memoryByteCount
    }
}
