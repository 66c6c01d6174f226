import ThumbwheelCore
import ThumbwheelFormats

/// Facts from a photograph's first bytes to compare previews with: its upper part as a few means, and its profile.
///
/// Each fact is found when it is first asked for, and only once.
final class PhotographEvidence {
    /// How much of a photograph is decoded.
    ///
    /// A sequential scan must be decoded from its start, so only the upper part is cheap. Bytes lie where the detail
    /// is: an eighth of them holds an eighth of the detail and takes an eighth of the decode's time. A progressive file
    /// has the whole picture in its first scan.
    private enum Part {
        /// Enough to accept most previews, and as cheap as the preview itself.
        case glance
        /// Enough to judge all but plain skies. The bounds keep small files from being judged by next to nothing, and
        /// large ones from costing many times the preview.
        case upper

        func byteCount(ofScan count: Int) -> Int {
            switch self {
            case .glance: min(count / 8, 48 << 10)
            case .upper: min(max(count / 8, 64 << 10), 256 << 10)
            }
        }

        /// The least share of the height that allows a judgement.
        var leastFraction: Double {
            switch self {
            case .glance: 1 / 128
            case .upper: 1 / 64
            }
        }

        /// The share of the height below which the bytes are not expected to reach. Rows that they do not reach would
        /// only be painted grey.
        func mostFraction(isSingleScan: Bool) -> Double {
            switch self {
            case .glance: isSingleScan ? 1 / 16 : 1 / 2
            case .upper: isSingleScan ? 3 / 8 : 1
            }
        }
    }

    /// The least length of the decode's longer side, in pixels.
    private static let leastSide = 96
    private static let mostBlocks = 256
    /// Profiles of displays have a few kilobytes; larger ones cost too much for a small image.
    private static let profileByteLimit = 256 << 10

    let head: ImageHead
    private let source: any ByteSource
    private let guardian: DecodeGuard
    private var knownHeader: (header: JPEGDecodeHeader?, scanStart: Int)?
    private var knownTops: [Part: PhotographTop?] = [:]

    init(_ source: any ByteSource, head: ImageHead, guardian: DecodeGuard) {
        self.source = source
        self.head = head
        self.guardian = guardian
    }

    private func header() throws(RenderError) -> (header: JPEGDecodeHeader?, scanStart: Int) {
        if let knownHeader { return knownHeader }
        let input = JPEGInput(source)
        let keepsProfile = head.profile.map { $0.byteCount <= Self.profileByteLimit } ?? false
        let header = try JPEGDecodeHeader(input, keepsProfile: keepsProfile)
        knownHeader = (header, input.position)
        return (header, input.position)
    }

    /// The profile of the photograph's samples; nil if it has none, or if it is not cheap to read.
    func profile() -> [UInt8]? {
        guard head.contentType == .jpeg, head.profile != nil else { return nil }
        // Damage to the photograph must not make its preview fail.
        return (try? header())?.header?.profile
    }

    /// Whether a preview shows the photograph; false if that is not cheap to tell.
    ///
    /// - Parameters:
    ///   - preview: in stored orientation, like the photograph.
    ///   - box: the picture's place in the preview's rows.
    func isShown(by preview: CoarsePicture, in box: SourceBox) throws(RenderError) -> Bool {
        if let top = try top(.glance), top.isSurelyShown(by: preview, in: box) { return true }
        return try top(.upper)?.isShown(by: preview, in: box) ?? false
    }

    /// The photograph's upper part; nil if it is not cheap to decode.
    private func top(_ part: Part) throws(RenderError) -> PhotographTop? {
        if let known = knownTops[part] { return known }
        let top = head.chosenDecoder?.decoder == .jpeg ? try decodeTop(part) : nil
        knownTops[part] = .some(top)
        return top
    }

    private func decodeTop(_ part: Part) throws(RenderError) -> PhotographTop? {
        let (header, scanStart) = try header()
        guard let header else { return nil }
        let end = min(
            source.byteCount, scanStart + part.byteCount(ofScan: max(0, source.byteCount - scanStart)))
        let size = header.frame.size
        let longer = max(size.width, size.height)
        guard
            let decode = try JPEGDecode(
                SubrangeByteSource(source, range: 0..<end),
                eighths: (1...8).first { longer * $0 / 8 >= Self.leastSide } ?? 8, hasCoarseChroma: true,
                guardian: guardian)
        else { return nil }
        decode.readsRefinements = false
        decode.readsEdges = false
        let rows = JPEGRows(decode)
        let mostFraction = end < source.byteCount ? part.mostFraction(isSingleScan: header.isSingleScan) : 1
        let wanted = min(rows.size.height, Int(Double(rows.size.height) * mostFraction) + 4)
        let picture = CoarsePicture(
            size: PixelSize(width: rows.size.width, height: wanted), channels: rows.channels,
            reduction: CoarsePicture.reduction(of: rows.size, mostBlocks: Self.mostBlocks))
        let (count, error) = rows.forEachRow(in: 0..<wanted, picture.consume)
        switch error {
        case nil: break
        // The chroma of the last row may have been mixed with missing rows.
        case .truncated, .malformed: picture.drop(behind: count - 1)
        case let error?: throw error
        }
        let scale = Double(rows.eighths) / 8
        let height = Double(picture.rowCount * picture.reduction) / (Double(size.height) * scale)
        guard height >= part.leastFraction else { return nil }
        return PhotographTop(
            picture: picture, width: Double(size.width) * scale, height: Double(size.height) * scale,
            fraction: min(1, height))
    }
}
