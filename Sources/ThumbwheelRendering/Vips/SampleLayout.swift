import ThumbwheelFormats

/// The facts about a file's samples that libvips gets wrong or leaves to its caller, as far as the file's head tells.
struct SampleLayout {
    /// The number of a pixel's samples that are shown: its colour, and alpha if the file has one. Nil if libvips
    /// chooses rightly.
    var shownBands: Int?
    /// The correction of each row, if any.
    var correction: RowCorrection?
    /// Whether the file's luma and chroma may be coded in a way that libvips refuses.
    var mayBeSubsampled: Bool { correction == .fromYCbCr }
}

extension SampleLayout {
    /// The layout of a format whose only peculiarity is its alpha.
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
        // Many writers forget to declare the alpha of grey and RGB, and every reader accepts that.
        let isUndeclaredAlpha = tiff.extraSample == nil && extraBands == 1 && colorBands < 4
        shownBands = colorBands + (extraBands > 0 && (tiff.hasAlpha || isUndeclaredAlpha) ? 1 : 0)
        if tiff.photometricInterpretation == 6, tiff.isOfPlainSamples { correction = .fromYCbCr }
    }
}

extension TIFFCoding {
    /// Whether the compression is independent of colours: none, LZW, Deflate, PackBits, LZMA, Zstandard. JPEG and JPEG
    /// 2000 convert colours by themselves.
    fileprivate var isOfPlainSamples: Bool { [1, 5, 8, 32_773, 32_946, 34_925, 50_000].contains(compression) }

    /// Whether the coding is JPEG as it was before TIFF 6.0's supplement, which libvips does not read.
    var isOldJPEG: Bool { compression == 6 }
}
