/// The coding of a TIFF's first page, with the numeric codes of TIFF 6.0.
public struct TIFFCoding: Sendable, Hashable {
    /// The kind of the first sample of a pixel that is not part of its colour; it tells decoders whether the sample is
    /// alpha.
    public enum ExtraSample: String, Sendable {
        /// The sample is not alpha: some programs store selections in it, for example.
        case unspecified
        /// The sample is alpha, and the colours were multiplied by it.
        case associatedAlpha
        /// The sample is alpha, and the colours were not multiplied by it.
        case unassociatedAlpha
    }

    /// The code of the colour space: 0 and 1 for grey, 2 for RGB, 3 for a palette, 5 for inks, 6 for YCbCr, 8 for
    /// CIELab; nil if the file states none.
    public var photometricInterpretation: UInt16?
    /// The code of the compression: 1 for none, 5 for LZW, 6 for JPEG as it was before TIFF 6.0's supplement, 7 for
    /// JPEG, 8 for Deflate.
    public var compression: UInt16
    /// The number of samples per pixel, including the extra ones.
    public var samplesPerPixel: UInt16
    /// The kind of the first extra sample; nil if the file declares none, however many samples a pixel has.
    public var extraSample: ExtraSample?
    /// The number of rows of a strip or tile; nil if it is not known.
    public var rowsPerBlock: Int?

    /// Makes a description of a coding.
    public init(
        photometricInterpretation: UInt16?, compression: UInt16 = 1, samplesPerPixel: UInt16 = 1,
        extraSample: ExtraSample? = nil, rowsPerBlock: Int? = nil
    ) {
        self.photometricInterpretation = photometricInterpretation
        self.compression = compression
        self.samplesPerPixel = samplesPerPixel
        self.extraSample = extraSample
        self.rowsPerBlock = rowsPerBlock
    }

    /// Whether the extra sample is one of the two kinds of alpha.
    public var hasAlpha: Bool { extraSample == .associatedAlpha || extraSample == .unassociatedAlpha }
}

extension TIFFCoding {
    /// Reads the coding from the fields of a directory.
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
            }, rowsPerBlock: try Self.rowsPerBlock(&reader, structure, directory))
    }

    /// Reads the height of a tile or of a strip. A file that states none has one strip.
    private static func rowsPerBlock(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ directory: TIFFStructure.Directory
    ) throws(HeadError) -> Int? {
        if let tile = try structure.integer(&reader, directory.entries[Tag.tileHeight]) {
            return Int(Int32(clamping: tile))
        }
        guard let height = try structure.integer(&reader, directory.entries[Tag.height]) else { return nil }
        let strip = try structure.integer(&reader, directory.entries[Tag.rowsPerStrip])
        return Int(Int32(clamping: min(height, strip ?? height)))
    }
}
