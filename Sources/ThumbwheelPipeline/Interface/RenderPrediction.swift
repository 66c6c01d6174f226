import ThumbwheelRendering

/// The predicted cost of making a rendition. `RenderWork` values with equal predictions share one object.
final class RenderPrediction: Sendable, Equatable {
    /// The bytes of output and working memory needed to render a final rendition or to deliver a file.
    let predictedByteCount: Int
    /// The bytes of the output alone, without working memory. They are a part of `predictedByteCount`.
    let outputByteCount: Int
    /// The bytes of output and working memory needed to make a degraded image. It is made from an embedded preview, or
    /// from a local proxy: a small local copy of a file that is stored elsewhere.
    let previewByteCount: Int
    /// Additional bytes that a final rendition's render takes if an idle worker helps with it. The measured memory of a
    /// render does not include these bytes.
    let assistanceByteCount: Int
    /// Milliseconds that the render of a final rendition takes; 0 if unknown.
    let predictedMilliseconds: Double
    /// The geometry of a final rendition: the part of the photograph that it shows, and its size. Nil if unknown.
    let geometry: RenditionGeometry?
    /// The class of similar renders. The memory measured in earlier renders of a class corrects `predictedByteCount`
    /// for later ones. Nil if the memory of the render is not measured: nothing is decoded, or the decoder has threads
    /// of its own.
    let memoryClass: RenderWork.MemoryClass?
    /// The length in bytes of a file that has to come over a network, 0 or less if the length is unknown; nil if the
    /// file is stored locally.
    let remoteByteCount: Int?
    /// The scale of a final rendition's decode, in eighths. Nil if the rendition is made without a decode, or by a
    /// decode that other renditions cannot share.
    let decodeEighths: Int?
    /// Whether the decoder of a final rendition can be stopped, so that a running render can make way for a more urgent
    /// one.
    let isStoppable: Bool

    /// Whether a final rendition needs only some ranges of a file that has to come over a network. If so, only these
    /// ranges are fetched.
    let isReadByRanges: Bool
    /// The number of bytes that must be fetched over a network to make a degraded image. Nil if a degraded image needs
    /// no fetched bytes.
    let remotePreviewByteCount: Int?

    init(
        predictedByteCount: Int, outputByteCount: Int, predictedMilliseconds: Double, decodeEighths: Int?,
        geometry: RenditionGeometry?, isStoppable: Bool, remoteByteCount: Int?, assistanceByteCount: Int,
        memoryClass: RenderWork.MemoryClass?, previewByteCount: Int, isReadByRanges: Bool,
        remotePreviewByteCount: Int?
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
        self.isReadByRanges = isReadByRanges
        self.remotePreviewByteCount = remotePreviewByteCount
    }

    /// The same prediction, except that the render reads the whole file and not only ranges of it.
    var fetchingWhole: RenderPrediction {
        RenderPrediction(
            predictedByteCount: predictedByteCount, outputByteCount: outputByteCount,
            predictedMilliseconds: predictedMilliseconds, decodeEighths: decodeEighths, geometry: geometry,
            isStoppable: isStoppable, remoteByteCount: remoteByteCount, assistanceByteCount: assistanceByteCount,
            memoryClass: memoryClass, previewByteCount: previewByteCount, isReadByRanges: false,
            remotePreviewByteCount: remotePreviewByteCount)
    }

    static func == (one: RenderPrediction, other: RenderPrediction) -> Bool {
        one === other
            || one.predictedByteCount == other.predictedByteCount && one.outputByteCount == other.outputByteCount
                && one.previewByteCount == other.previewByteCount
                && one.assistanceByteCount == other.assistanceByteCount
                && one.predictedMilliseconds == other.predictedMilliseconds && one.geometry == other.geometry
                && one.memoryClass == other.memoryClass && one.remoteByteCount == other.remoteByteCount
                && one.decodeEighths == other.decodeEighths && one.isStoppable == other.isStoppable
                && one.isReadByRanges == other.isReadByRanges
                && one.remotePreviewByteCount == other.remotePreviewByteCount
    }
}
