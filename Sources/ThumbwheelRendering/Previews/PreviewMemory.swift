import ThumbwheelCore
import ThumbwheelFormats

/// Memory that a preview's rendering needs besides its output, as `DecoderMemory` and `RenderCost` tell of a photograph's.
struct PreviewMemory {
    /// The preview's bytes, and what decoder and resampler have whatever the size.
    private static let fixedByteCount = 512 << 10
    /// For each column of the decode: bands of planes, the resampler's ring, a row of coefficients.
    private static let columnByteCount = 800

    let workingByteCount: Int

    /// - Parameter isOwnJPEG: whether this library's own decoder takes it, which never holds a whole picture.
    init(_ preview: EmbeddedPreview, decodedSize: PixelSize, isOwnJPEG: Bool) {
        // libjpeg keeps coefficients of two bytes for up to four components; libheif planes and the picture interleaved.
        let whole = isOwnJPEG ? 0 : Double(decodedSize.pixelCount) * 8
        let working =
            Double(Self.fixedByteCount) + Double(preview.byteCount) + whole
            + Double(decodedSize.width) * Double(Self.columnByteCount)
        workingByteCount = Int(min(working, 1e15))
    }

    /// Of a preview that has not been opened.
    ///
    /// - Parameter decodedSize: as large as it is presumed to be.
    init(predicting preview: EmbeddedPreview, decodedSize: PixelSize) {
        self.init(preview, decodedSize: decodedSize, isOwnJPEG: preview.contentType == .jpeg)
    }
}
