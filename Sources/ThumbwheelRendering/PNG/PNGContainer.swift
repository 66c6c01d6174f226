import ThumbwheelCore

/// The contents of the chunks before a PNG's pixels (W3C PNG, third edition, 5.6 and 11).
struct PNGContainer {
    let header: PNGHeader
    /// The colours of the palette, three bytes each; empty if the pixels do not use a palette.
    private(set) var palette: [UInt8] = []
    /// The contents of the `tRNS` chunk; nil if there is none, if it is damaged, or if it does not fit the colour type.
    private(set) var transparency: [UInt8]?
    /// The offset in the file of the chunk with the colour profile; nil if there is none.
    private(set) var profileStart: Int?
    private(set) var calibration = PNGCalibration()

    /// The largest accepted number of chunks before the pixels. A few dozen are usual.
    private static let chunkLimit = 4096

    /// Reads all chunks before the pixels, and leaves the reader at the beginning of the first data chunk.
    ///
    /// Damaged chunks are treated by their kind:
    /// - The header and the palette must be intact.
    /// - Transparency, gamma, chromaticities and sRGB count as absent if they are damaged.
    /// - Of the colour profile, only the position is noted. Its contents are not read yet.
    /// - Other ancillary chunks are skipped. Unknown chunks that are not ancillary are an error.
    init(_ chunks: PNGChunkReader) throws(RenderError) {
        guard try chunks.next() else { throw .truncated(decodedFraction: 0) }
        guard chunks.kind == PNGChunkKind.header else { throw .malformed(reason: "no header in front") }
        header = try PNGHeader(Self.intactContents(of: chunks, limit: 13))
        for _ in 0..<Self.chunkLimit {
            guard try chunks.next() else { throw .truncated(decodedFraction: 0) }
            switch chunks.kind {
            case PNGChunkKind.data:
                guard header.colorType != .indexed || !palette.isEmpty else {
                    throw .malformed(reason: "no palette before the pixels")
                }
                return
            case PNGChunkKind.palette:
                try readPalette(chunks)
            case PNGChunkKind.transparency where transparency == nil:
                try readTransparency(chunks)
            case PNGChunkKind.profile:
                if profileStart == nil { profileStart = chunks.start }
                chunks.skip()
            case PNGChunkKind.gamma, PNGChunkKind.chromaticities, PNGChunkKind.sRGB:
                try calibration.read(chunks)
            case let kind:
                guard PNGChunkKind.isAncillary(kind) else {
                    throw .malformed(reason: "an essential chunk of an unknown kind, or out of place")
                }
                chunks.skip()
            }
        }
        throw .malformed(reason: "more than \(Self.chunkLimit) chunks before the pixels")
    }

    private mutating func readPalette(_ chunks: PNGChunkReader) throws(RenderError) {
        // In files whose pixels are not palette indices, the palette only suggests how to reduce the number of colours.
        // It is checked, but not kept.
        guard header.colorType == .indexed else {
            guard let isIntact = try chunks.end() else { throw .truncated(decodedFraction: 0) }
            guard isIntact else { throw Self.damage }
            return
        }
        guard palette.isEmpty else { throw .malformed(reason: "two palettes") }
        let contents = try Self.intactContents(of: chunks, limit: 3 * 256)
        guard !contents.isEmpty, contents.count % 3 == 0 else {
            throw .malformed(reason: "a palette of \(contents.count) bytes")
        }
        palette = Array(contents.prefix(3 << header.depth))
    }

    private mutating func readTransparency(_ chunks: PNGChunkReader) throws(RenderError) {
        let byteCounts: ClosedRange<Int>? =
            switch header.colorType {
            case .grey: 2...2
            case .rgb: 6...6
            // `tRNS` has an alpha byte for each of the first colours of the palette, or for all of them. It must follow
            // the palette; otherwise it is ignored.
            case .indexed: palette.isEmpty ? nil : 1...palette.count / 3
            case .greyAlpha, .rgba: nil
            }
        guard let byteCounts, byteCounts.contains(chunks.remainingByteCount) else { return chunks.skip() }
        guard let contents = try chunks.contents(limit: byteCounts.upperBound) else {
            throw .truncated(decodedFraction: 0)
        }
        if contents.isIntact { transparency = contents.bytes }
    }

    private static func intactContents(of chunks: PNGChunkReader, limit: Int) throws(RenderError) -> [UInt8] {
        guard chunks.remainingByteCount <= limit else {
            throw .malformed(reason: "an essential chunk of \(chunks.remainingByteCount) bytes")
        }
        guard let contents = try chunks.contents(limit: limit) else { throw .truncated(decodedFraction: 0) }
        guard contents.isIntact else { throw Self.damage }
        return contents.bytes
    }

    private static let damage = RenderError.malformed(reason: "an essential chunk's checksum is wrong")
}
