import ThumbwheelCore

/// The colours of a PNG by its `gAMA`, `cHRM` and `sRGB` chunks (W3C PNG, third edition, 4.3 and 11.3.2), as browsers take
/// them: each of the first two without the other goes with sRGB's, and none of them counts beside the third.
struct PNGCalibration {
    private var gamma: Int?
    private var chromaticities: [Double]?
    private var isSRGB = false

    /// In 100 000ths. sRGB's curve, which is no power, is written as this one.
    private static let gammaOfSRGB = 45_455
    private static let rounding = 230
    /// Others are mistakes: they would leave nothing but black, or white.
    private static let gammas = 10_000...1_000_000

    /// Reads one of the three chunks; one that is damaged, or of another length than it should, is passed over.
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

    /// Nil where they are sRGB, or where nothing says otherwise.
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
