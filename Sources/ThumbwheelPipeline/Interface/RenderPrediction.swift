import ThumbwheelRendering

/// The predicted cost of making a rendition. Works with equal predictions share one object.
final class RenderPrediction: Sendable, Equatable {
    /// The bytes of output and working memory needed to render a final rendition or to deliver a file.
    let predictedByteCount: Int
    /// Bytes of the output alone, which `predictedByteCount` includes.
    let outputByteCount: Int
    /// Bytes of output and working memory that a render from an embedded preview takes.
    let previewByteCount: Int
    /// Additional bytes of a final rendition's render when an idle worker helps. The render's own measurements do not
    /// include them.
    let assistanceByteCount: Int
    /// Milliseconds that the render of a final rendition takes; 0 if unknown.
    let predictedMilliseconds: Double
    /// The geometry of a final rendition; nil if unknown.
    let geometry: RenditionGeometry?
    /// The class of similar renders, whose measured memory corrects the predictions. Nil if nothing is decoded, or if the
    /// decoder has threads of its own.
    let memoryClass: RenderWork.MemoryClass?
    /// The length in bytes, as far as it is known, of a file that has to come over a network; nil if the file is at hand.
    let remoteByteCount: Int?
    /// The scale of a final rendition's decode, in eighths; nil if the rendition is made without a decode, or with one that it
    /// does not share.
    let decodeEighths: Int?
    /// Whether the decoder of a final rendition can be stopped.
    let isStoppable: Bool

    init(
        predictedByteCount: Int, outputByteCount: Int, predictedMilliseconds: Double, decodeEighths: Int?,
        geometry: RenditionGeometry?, isStoppable: Bool, remoteByteCount: Int?, assistanceByteCount: Int,
        memoryClass: RenderWork.MemoryClass?, previewByteCount: Int
    ) {
        self.predictedByteCount = predictedByteCount
        self.outputByteCount = outputByteCount
        self.predictedMilliseconds = predictedMilliseconds
        self.decodeEighths = decodeEighths
        self.geometry = geometry
        self.isStoppable = isStoppable
        self.remoteByteCount = remoteByteCount
        self.assistanceByteCount = assistanceByteCount
        self.memoryClass = memoryClass
        self.previewByteCount = previewByteCount
    }

    static func == (one: RenderPrediction, other: RenderPrediction) -> Bool {
        one === other
            || one.predictedByteCount == other.predictedByteCount && one.outputByteCount == other.outputByteCount
                && one.previewByteCount == other.previewByteCount
                && one.assistanceByteCount == other.assistanceByteCount
                && one.predictedMilliseconds == other.predictedMilliseconds && one.geometry == other.geometry
                && one.memoryClass == other.memoryClass && one.remoteByteCount == other.remoteByteCount
                && one.decodeEighths == other.decodeEighths && one.isStoppable == other.isStoppable
    }
}
