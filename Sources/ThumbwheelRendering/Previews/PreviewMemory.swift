import ThumbwheelCore
import ThumbwheelFormats

/// The memory that is needed to make a degraded or fast image from a preview (a small picture embedded in a
/// photograph's file). The pixels of the finished image are not counted. If an image is made from the photograph
/// itself, its memory is predicted by `DecoderMemory` and `RenderCost`.
struct PreviewMemory {
    /// The memory of the decoder and the resampler that does not depend on the size of the preview, in bytes.
    private static let fixedByteCount = 512 << 10
    /// The memory for each column of the decoded preview, in bytes. It holds rows of samples, the ring buffer of the
    /// resampler, and a row of coefficients.
    private static let columnByteCount = 800

    let workingByteCount: Int

    /// - Parameter isOwnJPEG: whether this library's own decoder decodes the preview. That decoder never keeps a whole
    ///   picture in memory.
    init(_ preview: EmbeddedPreview, decodedSize: PixelSize, isOwnJPEG: Bool) {
        // Decoders of other libraries keep whole pictures in memory: libjpeg keeps coefficients of two bytes for up to
        // four components, and libheif keeps planes and the interleaved picture.
        let whole = isOwnJPEG ? 0 : Double(decodedSize.pixelCount) * 8
        let working =
            Double(Self.fixedByteCount) + Double(preview.byteCount) + whole
            + Double(decodedSize.width) * Double(Self.columnByteCount)
        workingByteCount = Int(min(working, 1e15))
    }

    /// Predicts the memory of a preview that has not been opened.
    ///
    /// - Parameter decodedSize: the presumed size of the decoded preview in pixels.
    init(predicting preview: EmbeddedPreview, decodedSize: PixelSize) {
        self.init(preview, decodedSize: decodedSize, isOwnJPEG: preview.contentType == .jpeg)
    }
}
