import ThumbwheelCore
import ThumbwheelFormats

extension RenderLimits {
    /// Whether the limits are certain to refuse a render before it takes any memory. Nothing needs to make room for it
    /// then.
    ///
    /// - Parameters:
    ///   - head: the head of the file.
    ///   - geometry: the geometry for `options`.
    ///   - byteCount: the file's length.
    package func refuse(
        _ head: ImageHead, options: RenderOptions, geometry: RenditionGeometry, byteCount: Int
    ) -> Bool {
        if byteCount > self.byteCount || head.storedSize.pixelCount > pixelCount || head.frameCount > frameCount {
            return true
        }
        if geometry.outputSize.pixelCount > pixelCount { return true }
        // A preview that serves instead needs no such memory, and a RAW file's decode is of another picture.
        let mayServePreview = options.quality == .fast && options.usesEmbeddedPreviews && !head.previews.isEmpty
        guard !mayServePreview, !head.contentType.isRAW else { return false }
        guard let chosen = head.chosenDecoder else { return false }
        let memory = chosen.memory(for: head, eighths: geometry.decodeEighths, byteCount: byteCount)
        return memory.certain > memoryByteCount
    }
}
