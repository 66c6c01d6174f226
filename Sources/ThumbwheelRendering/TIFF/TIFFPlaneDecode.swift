import ThumbwheelCore

/// Decodes a TIFF's first page, or a smaller version of that page, whose strips or tiles are JPEG streams. Each plane
/// is handed over at its own scale, so subsampled chroma is neither enlarged nor converted to pixels before it is
/// resampled.
final class TIFFPlaneDecode: PlaneDecoder {
    private let opening: TIFFOpening
    private let guardian: DecodeGuard
    private let hasCoarseChroma: Bool
    private let layout: TIFFPlaneLayout
    // The strip or tile that was opened on creation to find out the planes; nil once it has been used.
    private var first: (row: Int, column: Int, decode: JPEGDecode)?
    let colors: PlaneColors

    var scales: PlaneScales { layout.scales }
    var size: PixelSize { opening.size }
    var exactScale: (horizontal: Double, vertical: Double)? { opening.exactScale }
    var storedSize: PixelSize { opening.storedSize }
    var channels: Int { scales.planes.count }
    var eighths: Int { 8 }
    var means: BlockMeans? { nil }
    var reachedEnd: Bool { false }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .tiff }
    var profile: [UInt8]? { opening.profile }

    /// Opens one strip or tile that is likely to be needed.
    ///
    /// - Returns: nil if the strips or tiles are not JPEG streams, for a stream that the decoder does not support, if a
    ///   sample of chroma would lie in two strips or tiles, or if the planes of a row of tiles need more memory than
    ///   `limits` allow.
    init?(
        _ opening: TIFFOpening, hasCoarseChroma: Bool, limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        let place = opening.firstPlace
        try guardian.check()
        guard
            let decode = try opening.opener.jpeg(
                row: place.row, column: place.column, hasCoarseChroma: hasCoarseChroma),
            let layout = TIFFPlaneLayout(opening, like: decode), layout.bandByteCount <= limits.memoryByteCount
        else { return nil }
        self.opening = opening
        self.hasCoarseChroma = hasCoarseChroma
        self.guardian = guardian
        self.layout = layout
        colors = decode.header.colors
        first = (place.row, place.column, decode)
    }

    /// Does nothing: `means` stays nil, because a smaller version of the page, or a part of it, may be decoded.
    func collectMeans() {}

    /// Does nothing: a strip or tile is too short to be shared between threads.
    func share(with assistants: any RenderAssistants) {}

    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd {
        let target = TIFFPlaneTarget(layout, consumer)
        do throws(RenderError) {
            for row in target.blockRows {
                try decodeBlocks(ofRow: row, to: target)
            }
            return DecodeEnd(decodedFraction: 1)
        } catch {
            let fraction = target.fedFraction
            if error.isDamage { target.feedGrey() }
            return DecodeEnd(error, after: fraction)
        }
    }

    private func decodeBlocks(ofRow row: Int, to target: TIFFPlaneTarget) throws(RenderError) {
        var failure: RenderError?
        for column in target.blockColumns {
            try guardian.check()
            let end = try open(row: row, column: column).forEachRow(to: target.receiver(row: row, column: column))
            // A strip or tile in which damage was found has grey in place of its missing rows. The strips or tiles
            // beside it are decoded all the same.
            if let error = end.error {
                guard error.isDamage else { throw error }
                failure = failure ?? error
            }
        }
        target.finishBlocks(ofRow: row)
        if let failure { throw failure }
    }

    private func open(row: Int, column: Int) throws(RenderError) -> JPEGDecode {
        if let first, first.row == row, first.column == column {
            self.first = nil
            return first.decode
        }
        guard
            let decode = try opening.opener.jpeg(row: row, column: column, hasCoarseChroma: hasCoarseChroma),
            layout.admits(decode)
        else { throw .malformed(reason: "strips or tiles of several codings") }
        return decode
    }
}
