/// The coding of a TIFF's first page, in the numbers of TIFF 6.0.
public struct TIFFCoding: Sendable, Hashable {
    /// The kind of a pixel's first sample beyond those of its colour; it tells decoders whether the sample is alpha.
    public enum ExtraSample: String, Sendable {
        /// Not alpha: some programs store selections in it, for example.
        case unspecified
        /// Alpha by which the colours were multiplied.
        case associatedAlpha
        /// Alpha by which the colours were not multiplied.
        case unassociatedAlpha
    }

    /// 0 and 1 for grey, 2 for RGB, 3 for a palette, 5 for inks, 6 for YCbCr, 8 for CIELab; nil if the file states
    /// none.
    public var photometricInterpretation: UInt16?
    /// 1 for none, 5 for LZW, 6 for JPEG as it was before TIFF 6.0's supplement, 7 for JPEG, 8 for Deflate.
    public var compression: UInt16
    /// The number of samples of a pixel, colour and extra ones together.
    public var samplesPerPixel: UInt16
    /// Nil if the file declares no extra sample, however many samples a pixel has.
    public var extraSample: ExtraSample?

    /// Makes a description of a coding.
    public init(
        photometricInterpretation: UInt16?, compression: UInt16 = 1, samplesPerPixel: UInt16 = 1,
        extraSample: ExtraSample? = nil
    ) {
        self.photometricInterpretation = photometricInterpretation
        self.compression = compression
        self.samplesPerPixel = samplesPerPixel
        self.extraSample = extraSample
    }

    /// Whether the extra sample is one of the two kinds of alpha.
    public var hasAlpha: Bool { extraSample == .associatedAlpha || extraSample == .unassociatedAlpha }
}

extension TIFFCoding {
    /// Reads the fields of a directory.
    init(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ directory: TIFFStructure.Directory
    ) throws(HeadError) {
        func short(_ tag: Int) throws(HeadError) -> UInt16? {
            try structure.integer(&reader, directory.entries[tag]).map { UInt16(clamping: $0) }
        }
        self.init(
            photometricInterpretation: try short(Tag.photometricInterpretation),
            compression: try short(Tag.compression) ?? 1, samplesPerPixel: try short(Tag.samplesPerPixel) ?? 1,
            extraSample: try short(Tag.extraSamples).map {
                $0 == 1 ? .associatedAlpha : $0 == 2 ? .unassociatedAlpha : .unspecified
            })
    }
}
