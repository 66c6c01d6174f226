/// How the first page of a TIFF is coded, in the numbers of TIFF 6.0.
public struct TIFFCoding: Sendable, Hashable {
    /// Samples of a pixel beyond those of its colour: the first one's kind, by which decoders take it for alpha or not.
    public enum ExtraSample: String, Sendable {
        /// Not alpha: programs keep saved selections in it, among others.
        case unspecified
        /// Alpha that colours were multiplied with.
        case associatedAlpha
        /// Alpha that colours were not multiplied with.
        case unassociatedAlpha
    }

    /// 0 and 1 for grey, 2 for RGB, 3 for a palette, 5 for inks, 6 for YCbCr, 8 for CIELab; nil where the file is silent.
    public var photometricInterpretation: UInt16?
    /// 1 for none, 5 for LZW, 6 for JPEG as it was before TIFF 6.0's supplement, 7 for JPEG, 8 for Deflate.
    public var compression: UInt16
    /// Of colour and extra ones together.
    public var samplesPerPixel: UInt16
    /// nil where the file declares none, however many samples a pixel has.
    public var extraSample: ExtraSample?

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
