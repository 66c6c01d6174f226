import ThumbwheelCore
import ThumbwheelFormats

/// Fetches those parts of a remote file that an image needs. The facts in the file's header, and for some formats
/// further reads, tell where these parts lie.
package enum RemoteReading {
    /// The number of bytes at the beginning of a file that are always fetched. They contain the file's header and its
    /// EXIF preview.
    package static let frontByteCount = 64 << 10
    /// The size in bytes of the smallest file of which only some ranges are fetched. Fetching all of a smaller file
    /// takes hardly longer than fetching some ranges.
    private static let minimumByteCount = 256 << 10
    /// Previews are fetched before their photograph only if the number of bytes to fetch for them is at most the file's
    /// number of bytes divided by this number.
    private static let previewShare = 4
    /// The largest number of previews in a file that are fetched for degraded images, which are shown until the final
    /// image has been made.
    private static let previewLimit = 4
    /// The time after which the search for the needed ranges fails. It is longer than the time limit of a render,
    /// because the search waits for a network. Sources that do not answer have time limits of their own.
    private static let longestSearch = Duration.seconds(3600)

    /// Whether a final image (one that no better image replaces) needs only some ranges of the file.
    package static func isByRanges(_ head: ImageHead, options: RenderOptions, byteCount: Int) -> Bool {
        // An image of a video needs either the cover picture, or the video's index and some of its frames. The whole
        // file is never needed.
        if head.contentType.isVideo { return true }
        guard byteCount >= minimumByteCount else { return false }
        if head.rawPicture != nil || !((try? covering(head, options)) ?? []).isEmpty { return true }
        return head.chosenDecoder?.codec.isReadByRanges(head, quality: options.quality) ?? false
    }

    /// The number of bytes that must be fetched for a degraded image, which is shown until the final image has been
    /// made. Nil if the file has no preview, or if fetching the preview is hardly faster than fetching the file.
    package static func previewByteCount(_ head: ImageHead, byteCount: Int) -> Int? {
        let ranges = previewRanges(head)
        guard byteCount >= minimumByteCount, !ranges.isEmpty else { return nil }
        var count = frontByteCount
        for range in ranges where range.upperBound > frontByteCount {
            let (sum, overflows) = count.addingReportingOverflow(range.length)
            guard !overflows else { return nil }
            count = sum
        }
        return count <= byteCount / previewShare ? count : nil
    }

    /// Fetches the bytes that a degraded image of any size needs. A degraded image is shown until the final image has
    /// been made.
    package static func gatherPreview(_ head: ImageHead, from gatherer: RangeGatherer) throws(RenderError) {
        do throws(ByteSourceError) {
            try gatherer.gather([0..<frontByteCount] + previewRanges(head))
        } catch {
            throw .source(error)
        }
    }

    /// Fetches the bytes that a final image needs. If the decoder later asks for other bytes too, the whole file must
    /// be fetched.
    ///
    /// - Parameter isolation: the separate processes in which decoders of other libraries run; nil if such decoders run
    ///   in this process. For some formats, only such a decoder can tell which parts of the file an image needs. One of
    ///   the processes then reads the file to find these parts.
    /// - Parameter readsAlternatives: whether all frames are fetched from which a video's poster may be chosen, and not
    ///   only the first one. A decoder may find that the first one shows nothing.
    /// - Returns: false if the image needs the whole file.
    package static func gather(
        _ head: ImageHead, options: RenderOptions, limits: RenderLimits, from gatherer: RangeGatherer,
        readsAlternatives: Bool = false, isolation: RenderIsolation? = nil, cancellation: CancellationToken? = nil
    ) throws(RenderError) -> Bool {
        let fence = isolation.map { _ in DecoderFence() }
        let guardian = DecodeGuard(cancellation: cancellation, duration: longestSearch, fence: fence)
        let previews = try covering(head, options)
        do throws(ByteSourceError) {
            try gatherer.gather([0..<frontByteCount])
        } catch {
            throw .source(error)
        }
        let ranges: [Range<Int>]?
        if !previews.isEmpty {
            ranges =
                previews.flatMap(pieces)
                + (previews.contains(where: \.isCompared)
                    ? [try PhotographEvidence(gatherer, head: head, guardian: guardian).rangeOfGlance()] : [])
        } else if let picture = head.rawPicture ?? head.shownCover {
            ranges = [picture.byteRange]
        } else {
            let found = Result { () throws(RenderError) in
                try RenderJob.neededRanges(
                    gatherer, head: head.isOfFrames ? head.ofFrames : head, options: options, limits: limits,
                    guardian: guardian, readsAlternatives: readsAlternatives)
            }
            do throws(RenderError) {
                if let isolation, fence?.wasReached ?? false {
                    var patient = limits
                    patient.duration = longestSearch
                    _ = try isolation.pool.run(
                        .reading(options, readsAlternatives: readsAlternatives), of: gatherer, limits: patient,
                        makesThumbHash: false, assistants: nil, cancellation: cancellation)
                    ranges = []
                } else {
                    ranges = try found.get()
                }
            } catch  where error.leavesCover && head.isOfFrames {
                // The decode will fail in the same way, and the cover picture will then stand for the frame.
                guard let cover = head.videoCover else { throw error }
                ranges = [cover.byteRange]
            }
        }
        guard let ranges else { return false }
        do throws(ByteSourceError) {
            try gatherer.gather(ranges)
        } catch {
            throw .source(error)
        }
        return true
    }

    /// Reads the file's header and all other bytes that a final image needs, without decoding them. `source` reads them
    /// through a `RangeGatherer`, which keeps them in memory for the decode.
    ///
    /// - Parameter readsAlternatives: whether all frames are read from which a video's poster may be chosen, and not
    ///   only the first one.
    static func readAll(
        of source: any ByteSource, options: RenderOptions, limits: RenderLimits, readsAlternatives: Bool
    ) throws(RenderError) {
        let head = try Renderer.head(of: source, known: nil)
        let ranges = try RenderJob.neededRanges(
            source, head: head.isOfFrames ? head.ofFrames : head, options: options, limits: limits,
            guardian: DecodeGuard(cancellation: nil, duration: limits.duration), readsAlternatives: readsAlternatives)
        do throws(ByteSourceError) {
            for range in ranges ?? [] { _ = try source.bytes(in: range) }
        } catch {
            throw .source(error)
        }
    }

    /// The previews that have enough pixels for a final image, so that the photograph need not be decoded.
    private static func covering(_ head: ImageHead, _ options: RenderOptions) throws(RenderError) -> [EmbeddedPreview] {
        guard options.mayUsePreviews, !head.previews.isEmpty, head.rawPicture == nil, head.shownCover == nil
        else { return [] }
        return PreviewSearch(
            head: head, geometry: try RenditionGeometry(displaySize: head.displaySize, options: options)
        ).covering
    }

    /// The byte ranges of all previews that have at most `PreviewSearch.cheapByteCount` bytes. There may be several,
    /// because images of different sizes may be made from different previews.
    private static func previewRanges(_ head: ImageHead) -> [Range<Int>] {
        head.previews.filter { $0.byteCount <= PreviewSearch.cheapByteCount }.prefix(previewLimit).flatMap(pieces)
    }

    private static func pieces(of preview: EmbeddedPreview) -> [Range<Int>] {
        [preview.byteRange, preview.container].compactMap(\.self)
    }
}

extension EmbeddedPreview {
    /// Whether a preview of this kind must be compared with the upper part of the photograph before a final image is
    /// made from it. EXIF and multi-picture previews must be compared, because some editors change the photograph but
    /// leave these previews as they were.
    fileprivate var isCompared: Bool {
        switch kind {
        case .exif, .multiPicture: true
        case .heifThumbnail, .raw, .cover: false
        }
    }
}
