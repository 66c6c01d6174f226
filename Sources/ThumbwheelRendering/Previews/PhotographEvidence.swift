import ThumbwheelCore
import ThumbwheelFormats

/// The facts about a photograph that are needed to make use of its previews: the average colours of blocks in its upper
/// part, by which a preview of another picture is found out, and its colour profile. They are read from the file's first
/// bytes.
///
/// Each fact is read when it is first needed, and only once.
final class PhotographEvidence {
    /// The parts of a photograph's file that are decoded to compare the photograph with a preview. The smaller part is
    /// decoded first. The larger part is decoded only if the smaller one does not show whether the preview is of the
    /// same picture.
    ///
    /// In a sequential scan, a JPEG's blocks are coded from top to bottom, so the first bytes show the upper part of
    /// the picture. In a progressive file, the first scan already shows the whole picture. The size of a part is chosen
    /// in bytes, because the time of the decode grows with the bytes.
    private enum Part {
        /// The smaller of the two parts, at most 48 KiB of the photograph's coded picture. It is enough to accept most
        /// previews, and takes no longer to decode than the preview itself.
        case glance
        /// The larger of the two parts, of 64 to 256 KiB. It is decoded if the smaller part does not show whether the
        /// preview is of the same picture. The larger part shows this for all photographs except plain skies. Less than
        /// 64 KiB would not suffice, even in a small file. More than 256 KiB would take many times as long to decode as
        /// the preview.
        case upper

        func byteCount(ofScan count: Int) -> Int {
            switch self {
            case .glance: min(count / 8, 48 << 10)
            case .upper: min(max(count / 8, 64 << 10), 256 << 10)
            }
        }

        /// A part that shows less than this fraction of the photograph's height is too small to compare previews with.
        var minimumFraction: Double {
            switch self {
            case .glance: 1 / 128
            case .upper: 1 / 64
            }
        }

        /// The largest fraction of the photograph's height, counted from the top, that is decoded from this part of the
        /// file. Rows further down are not decoded, because the part's bytes are not expected to contain them. The
        /// decoder would only paint such rows grey.
        func fractionLimit(isSingleScan: Bool) -> Double {
            switch self {
            case .glance: isSingleScan ? 1 / 16 : 1 / 2
            case .upper: isSingleScan ? 3 / 8 : 1
            }
        }
    }

    /// The photograph is decoded at the smallest scale at which its longer side has at least this number of pixels.
    private static let minimumSide = 96
    private static let blockLimit = 256
    /// The largest profile that is read, in bytes. Profiles of displays have a few kilobytes; larger profiles take too
    /// much time for a small image.
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
        let input = JPEGInput(source, checking: guardian)
        let keepsProfile = head.profile.map { $0.byteCount <= Self.profileByteLimit } ?? false
        let header = try JPEGDecodeHeader(input, keepsProfile: keepsProfile)
        knownHeader = (header, input.position)
        return (header, input.position)
    }

    /// The colour profile of the photograph's samples. Nil if the photograph is not a JPEG, has no profile, or has one
    /// of more than `profileByteLimit` bytes.
    func profile() -> [UInt8]? {
        guard head.contentType == .jpeg, head.profile != nil else { return nil }
        // Errors are ignored, because damage to the photograph must not make its preview fail.
        return (try? header())?.header?.profile
    }

    /// Whether a preview shows the same picture as the photograph. It is false also if the decoded part of the
    /// photograph is not enough to decide.
    ///
    /// - Parameters:
    ///   - preview: the means of the preview's blocks, in the same orientation as the stored photograph.
    ///   - box: the area that shows the picture, in pixels of the rows from which `preview` was made. Cameras put black
    ///     bars around some previews. This area excludes any part of such a bar that the rows still contain.
    func isShown(by preview: CoarsePicture, in box: SourceBox) throws(RenderError) -> Bool {
        if let top = try top(.glance), top.isSurelyShown(by: preview, in: box) { return true }
        return try top(.upper)?.isShown(by: preview, in: box) ?? false
    }

    /// Returns the range of bytes at the start of the file that is enough to recognise most previews as pictures of the
    /// photograph.
    func rangeOfGlance() throws(RenderError) -> Range<Int> {
        let start = try header().scanStart
        let (end, overflows) = start.addingReportingOverflow(Part.glance.byteCount(ofScan: source.byteCount - start))
        return 0..<(overflows ? source.byteCount : max(0, end))
    }

    /// Returns the mean colours of all blocks in a part of the photograph. Nil if this library's own JPEG decoder does
    /// not decode the photograph, or if the part shows too little of the photograph to compare previews with.
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
                eighths: (1...8).first { longer * $0 / 8 >= Self.minimumSide } ?? 8, hasCoarseChroma: true,
                guardian: guardian)
        else { return nil }
        decode.readsRefinements = false
        decode.readsEdges = false
        let rows = JPEGRows(decode)
        let fractionLimit = end < source.byteCount ? part.fractionLimit(isSingleScan: header.isSingleScan) : 1
        let wanted = min(rows.size.height, Int(Double(rows.size.height) * fractionLimit) + 4)
        let picture = CoarsePicture(
            size: PixelSize(width: rows.size.width, height: wanted), channels: rows.channels,
            reduction: CoarsePicture.reduction(of: rows.size, blockLimit: Self.blockLimit))
        let (count, error) = rows.forEachRow(in: 0..<wanted, picture.consume)
        switch error {
        case nil: break
        // The last row is dropped, because its chroma may have been interpolated between real chroma and the chroma of
        // missing rows.
        case .truncated, .malformed: picture.drop(behind: count - 1)
        case let error?: throw error
        }
        let scale = Double(rows.eighths) / 8
        let height = Double(picture.rowCount * picture.reduction) / (Double(size.height) * scale)
        guard height >= part.minimumFraction else { return nil }
        return PhotographTop(
            picture: picture, width: Double(size.width) * scale, height: Double(size.height) * scale,
            fraction: min(1, height))
    }
}
