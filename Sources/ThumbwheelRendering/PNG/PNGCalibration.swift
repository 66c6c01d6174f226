import ThumbwheelCore

/// The colour space of a PNG as its `gAMA`, `cHRM` and `sRGB` chunks state it (W3C PNG, third edition, 4.3 and 11.3.2).
/// The chunks are interpreted as in browsers: if only one of `gAMA` and `cHRM` is present, sRGB supplies the other, and
/// both are ignored if there is an `sRGB` chunk.
struct PNGCalibration {
    private var gamma: Int?
    private var chromaticities: [Double]?
    private var isSRGB = false

    /// The value that `gAMA` has in files of sRGB colours, in units of 1/100 000. It is an approximation, because the
    /// true curve of sRGB is not a power.
    private static let gammaOfSRGB = 45_455
    private static let rounding = 230
    /// The range of plausible values of `gAMA`, in units of 1/100 000. Values outside the range are mistakes, which
    /// would turn all pixels black or white.
    private static let gammas = 10_000...1_000_000

    /// Reads a `gAMA`, `cHRM` or `sRGB` chunk. A chunk that is damaged or of the wrong length is ignored.
    mutating func read(_ chunks: PNGChunkReader) throws(RenderError) {
        let kind = chunks.kind
        guard chunks.remainingByteCount <= 32 else { return chunks.skip() }
        guard let contents = try chunks.contents(limit: 32) else { throw .truncated(decodedFraction: 0) }
        guard contents.isIntact else { return }
        let bytes = contents.bytes[...]
        switch (kind, bytes.count) {
        case (PNGChunkKind.gamma, 4): gamma = gamma ?? bytes.bigEndian(at: 0, 4)
        case (PNGChunkKind.chromaticities, 32):
            chromaticities = chromaticities ?? (0..<8).map { Double(bytes.bigEndian(at: $0 * 4, 4)) / 100_000 }
        case (PNGChunkKind.sRGB, 1): isSRGB = true
        default: break
        }
    }

    /// The colour space; nil if it is sRGB, or if no chunk states it plausibly.
    var colors: CodedColors? {
        let gamma = gamma.flatMap { Self.gammas.contains($0) ? $0 : nil }
        let stated = chromaticities.flatMap(RGBPrimaries.init(chromaticities:))
        guard !isSRGB, gamma != nil || stated != nil else { return nil }
        let space = stated.map { $0.isNear(.sRGB) ? .sRGB : $0 } ?? .sRGB
        let isUsual = gamma.map { abs($0 - Self.gammaOfSRGB) <= Self.rounding } ?? true
        if space == .sRGB, isUsual { return nil }
        return CodedColors(space: space, transfer: gamma.map { .power(100_000 / Double($0)) } ?? .sRGB)
    }
}
