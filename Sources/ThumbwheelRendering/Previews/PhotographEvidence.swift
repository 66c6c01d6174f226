import ThumbwheelCore
import ThumbwheelFormats

/// What a photograph's first bytes tell, for previews to be held against: its upper part in a few means, and its profile.
///
/// Found out when it is first asked for, and once.
final class PhotographEvidence {
    /// A sequential scan must be decoded from its start, so that only the upper part can be had for little. Bytes are where the
    /// detail is: an eighth of them has an eighth of what there is to be seen, at an eighth of the decode's time. A
    /// progressive file has all of the picture in its first scan.
    private static let scanShare = 8
    private static let scanByteCounts = 64 << 10...512 << 10
    /// Of the longer side of what is decoded, in pixels.
    private static let leastSide = 96
    /// Less of the height says nothing.
    private static let leastFraction = 1.0 / 64
    /// Displays' profiles have a few kilobytes; larger ones are too dear for a small image.
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

    /// The profile that the photograph's samples are in; nil where it has none, or it is not had cheaply.
    func profile() -> [UInt8]? {
        guard head.contentType == .jpeg, head.profile != nil else { return nil }
        // What is wrong with the photograph is no fault of its preview's.
        return (try? header())?.header?.profile
    }

    /// The photograph's upper part; nil where that is not had cheaply.
    func top() throws(RenderError) -> PhotographTop? {
        if let knownTop { return knownTop }
        let top = head.isForOwnJPEGDecoder ? try decodeTop() : nil
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
        // What the bytes do not reach would be painted grey, for nothing.
        let isPart = end < source.byteCount && header.isSingleScan
        let wanted = isPart ? min(rows.size.height, rows.size.height * 3 / 8 + 1) : rows.size.height
        let (count, error) = rows.forEachRow(in: 0..<wanted, picture.consume)
        switch error {
        case nil: break
        // Chroma of the last row may have been mixed with what is missing.
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
