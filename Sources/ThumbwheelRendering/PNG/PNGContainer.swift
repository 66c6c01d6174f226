import ThumbwheelCore

/// What stands before a PNG's pixels (W3C PNG, third edition, 5.6 and 11).
struct PNGContainer {
    let header: PNGHeader
    /// The palette's colours, three bytes each; empty if there is none that counts.
    private(set) var palette: [UInt8] = []
    /// The contents of the `tRNS` chunk, if it suits the type of colour.
    private(set) var transparency: [UInt8]?
    /// Where the profile's chunk begins.
    private(set) var profileStart: Int?
    private(set) var calibration = PNGCalibration()

    /// A few dozen are usual.
    private static let chunkLimit = 4096

    /// Reads all chunks before the pixels, and leaves the reader at the beginning of the first chunk of those.
    ///
    /// What is needed for pixels must be intact. What is not is passed over, or counts as absent where it is damaged.
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
        // Other types of colour have a palette that only suggests how to reduce a picture.
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
            // A palette's comes behind it.
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
