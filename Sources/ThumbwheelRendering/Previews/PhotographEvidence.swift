import ThumbwheelCore
import ThumbwheelFormats

/// Facts from a photograph's first bytes to compare previews with: its upper part as a few means, and its profile.
///
/// Each fact is found when it is first asked for, and only once.
final class PhotographEvidence {
    /// The share of a file's bytes that is decoded, as a divisor.
    ///
    /// A sequential scan must be decoded from its start, so only the upper part is cheap. Bytes lie where the detail
    /// is: an eighth of them holds an eighth of the detail and takes an eighth of the decode's time. A progressive file
    /// has the whole picture in its first scan.
    private static let scanShare = 8
    private static let scanByteCounts = 64 << 10...512 << 10
    /// The least length of the decode's longer side, in pixels.
    private static let leastSide = 96
    /// The least share of the height that allows a judgement.
    private static let leastFraction = 1.0 / 64
    /// Profiles of displays have a few kilobytes; larger ones cost too much for a small image.
    private static let profileByteLimit = 256 << 10

    let head: ImageHead
    private let source: any ByteSource
    private let guardian: DecodeGuard
    private var knownHeader: (header: JPEGHeader?, scanStart: Int)?
    private var knownTop: PhotographTop??

    init(_ source: any ByteSource, head: ImageHead, guardian: DecodeGuard) {
        self.source = source
        self.head = head
        self.guardian = guardian
    }

    private func header() throws(RenderError) -> (header: JPEGHeader?, scanStart: Int) {
        if let knownHeader { return knownHeader }
        let input = JPEGInput(source)
        let keepsProfile = head.profile.map { $0.byteCount <= Self.profileByteLimit } ?? false
        let header = try JPEGHeader(input, keepsProfile: keepsProfile)
        knownHeader = (header, input.position)
        return (header, input.position)
    }

    /// The profile of the photograph's samples; nil if it has none, or if it is not cheap to read.
    func profile() -> [UInt8]? {
        guard head.contentType == .jpeg, head.profile != nil else { return nil }
        // Damage to the photograph must not make its preview fail.
        return (try? header())?.header?.profile
    }

    /// The photograph's upper part; nil if it is not cheap to decode.
    func top() throws(RenderError) -> PhotographTop? {
        if let knownTop { return knownTop }
        let top = head.chosenDecoder?.decoder == .jpeg ? try decodeTop() : nil
        knownTop = .some(top)
        return top
    }

    private func decodeTop() throws(RenderError) -> PhotographTop? {
        let (header, scanStart) = try header()
        guard let header else { return nil }
        let share = max(0, source.byteCount - scanStart) / Self.scanShare
        let byteCount = min(max(share, Self.scanByteCounts.lowerBound), Self.scanByteCounts.upperBound)
        let end = min(source.byteCount, scanStart + byteCount)
        let size = header.frame.size
        let longer = max(size.width, size.height)
        guard
            let decode = try JPEGDecode(
                SubrangeByteSource(source, range: 0..<end),
                eighths: (1...8).first { longer * $0 / 8 >= Self.leastSide } ?? 8, hasCoarseChroma: true,
                guardian: guardian)
        else { return nil }
        decode.readsRefinements = false
        let rows = JPEGRows(decode)
        let picture = CoarsePicture(size: rows.size, channels: rows.channels)
        // The rows that the bytes do not reach would only be painted grey, so fewer are decoded.
        let isPart = end < source.byteCount && header.isSingleScan
        let wanted = isPart ? min(rows.size.height, rows.size.height * 3 / 8 + 1) : rows.size.height
        let (count, error) = rows.forEachRow(in: 0..<wanted, picture.consume)
        switch error {
        case nil: break
        // The chroma of the last row may have been mixed with missing rows.
        case .truncated, .malformed: picture.drop(behind: count - 1)
        case let error?: throw error
        }
        let scale = Double(rows.eighths) / 8
        let height = Double(picture.rowCount * picture.reduction) / (Double(size.height) * scale)
        guard height >= Self.leastFraction else { return nil }
        return PhotographTop(
            picture: picture, width: Double(size.width) * scale, height: Double(size.height) * scale,
            fraction: min(1, height))
    }
}
