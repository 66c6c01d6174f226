import ThumbwheelRendering

/// What making a rendition is predicted to cost. Works whose predictions are equal share one.
final class RenderPrediction: Sendable, Equatable {
    /// Output and working memory of a final rendition's render, or of handing out a file.
    let predictedByteCount: Int
    /// Of what is predicted, the output.
    let outputByteCount: Int
    /// Output and working memory of a render from an embedded preview.
    let previewByteCount: Int
    /// Additional bytes of a final rendition's render when an idle worker helps. The render's own measurements do not
    /// include them.
    let assistanceByteCount: Int
    /// Time of a final rendition's render; 0 where nobody knows.
    let predictedMilliseconds: Double
    /// Of a final rendition; nil where nobody knows.
    let geometry: RenditionGeometry?
    /// Nil where nothing is decoded, or by a decoder that has threads of its own.
    let memoryClass: RenderWork.MemoryClass?
    /// The length of the file, as far as it is known, where it has to come over a network; nil where it is at hand.
    let remoteByteCount: Int?
    /// The scale of a final rendition's decode, in eighths; nil for what is made without one, or of one of its own.
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
