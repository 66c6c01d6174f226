import ThumbwheelCore
import ThumbwheelFormats

extension RenderLimits {
    /// Whether a render of the file that `head` belongs to is certain to be refused before it takes any memory: there is
    /// nothing to make room for then.
    ///
    /// - Parameters:
    ///   - geometry: that of the options.
    ///   - byteCount: the file's length.
    package func refuse(
        _ head: ImageHead, options: RenderOptions, geometry: RenditionGeometry, byteCount: Int
    ) -> Bool {
        if byteCount > self.byteCount || head.storedSize.pixelCount > pixelCount || head.frameCount > frameCount {
            return true
        }
        if geometry.outputSize.pixelCount > pixelCount { return true }
        // A preview that serves instead needs none of it, and of a RAW file another picture is decoded.
        let mayServePreview = options.quality == .fast && options.usesEmbeddedPreviews && !head.previews.isEmpty
        guard !mayServePreview, !head.contentType.isRAW else { return false }
        let memory = DecoderMemory(
            head: head, eighths: geometry.decodeEighths, isOwnJPEG: head.decoder == .jpeg, byteCount: byteCount)
        // Of a PNG the head does not tell whether it is interlaced: one that is not takes less.
        return (head.contentType == .png ? memory.usual : memory.most) > memoryByteCount
    }
}
