import ThumbwheelFormats

/// The properties of a file's samples that libvips misjudges or ignores. They are known from the metadata at the start
/// of the file.
struct SampleLayout {
    /// The number of samples of a pixel that are shown: the colour, and alpha if the file has it. Nil if libvips itself
    /// chooses the right samples.
    var shownBands: Int?
    /// The correction to apply to each row; nil if none is needed.
    var correction: RowCorrection?
    /// Whether the file's chroma may be subsampled, that is, stored with fewer samples than luma. Any file with luma
    /// and chroma may be such a file, and libvips cannot open it if it is. So if libvips fails to open a file for which
    /// this is true, the file counts as unsupported instead of damaged.
    var mayBeSubsampled: Bool { correction == .fromYCbCr }
}

extension SampleLayout {
    /// Makes the layout for a format in which libvips misjudges nothing but premultiplied alpha. If the colours in the
    /// file have been multiplied by alpha, they are divided by it after the decode.
    init(alphaOf head: ImageHead) {
        correction = head.hasPremultipliedAlpha ? .unpremultiplied : nil
    }

    init(_ tiff: TIFFCoding) {
        let colorBands: Int
        switch tiff.photometricInterpretation {
        case 0, 1: colorBands = 1
        case 2, 6: colorBands = 3
        case 5: colorBands = 4
        default: return
        }
        let extraBands = Int(tiff.samplesPerPixel) - colorBands
        guard extraBands >= 0 else { return }
        // Many writers forget to declare the alpha of grey and RGB pictures, and every reader takes a single undeclared
        // sample for alpha.
        let isUndeclaredAlpha = tiff.extraSample == nil && extraBands == 1 && colorBands < 4
        shownBands = colorBands + (extraBands > 0 && (tiff.hasAlpha || isUndeclaredAlpha) ? 1 : 0)
        if tiff.photometricInterpretation == 6, tiff.isOfPlainSamples { correction = .fromYCbCr }
    }
}

extension TIFFCoding {
    /// Whether the compression treats samples as plain numbers: none, LZW, Deflate, PackBits, LZMA or Zstandard. JPEG
    /// and JPEG 2000 convert colours by themselves.
    fileprivate var isOfPlainSamples: Bool { [1, 5, 8, 32_773, 32_946, 34_925, 50_000].contains(compression) }

    /// Whether the TIFF is coded in the old form of JPEG, from before the supplement to TIFF 6.0. libvips does not read
    /// this form.
    var isOldJPEG: Bool { compression == 6 }
}
