import ThumbwheelCore
import ThumbwheelFormats

/// The memory that the rendering of a preview needs besides its output, as `DecoderMemory` and `RenderCost` predict it
/// for a photograph.
struct PreviewMemory {
    /// Memory of decoder and resampler that does not depend on the size, in bytes.
    private static let fixedByteCount = 512 << 10
    /// Bytes for each column of the decode: bands of planes, the resampler's ring, and a row of coefficients.
    private static let columnByteCount = 800

    let workingByteCount: Int

    /// - Parameter isOwnJPEG: whether this library's own decoder takes the preview; it never holds a whole picture.
    init(_ preview: EmbeddedPreview, decodedSize: PixelSize, isOwnJPEG: Bool) {
        // libjpeg keeps coefficients of two bytes for up to four components; libheif keeps planes and the interleaved
        // picture.
        let whole = isOwnJPEG ? 0 : Double(decodedSize.pixelCount) * 8
        let working =
            Double(Self.fixedByteCount) + Double(preview.byteCount) + whole
            + Double(decodedSize.width) * Double(Self.columnByteCount)
        workingByteCount = Int(min(working, 1e15))
    }

    /// Predicts the memory of a preview that has not been opened.
    ///
    /// - Parameter decodedSize: the presumed size of the decode.
    init(predicting preview: EmbeddedPreview, decodedSize: PixelSize) {
        self.init(preview, decodedSize: decodedSize, isOwnJPEG: preview.contentType == .jpeg)
    }
}
