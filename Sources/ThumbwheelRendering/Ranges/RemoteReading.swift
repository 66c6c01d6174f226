import ThumbwheelCore
import ThumbwheelFormats

/// The parts of a file elsewhere that images are made of, as the file's head tells them.
package enum RemoteReading {
    /// The bytes at the beginning of a file that are always brought: heads and EXIF previews lie there.
    package static let frontByteCount = 64 << 10
    /// The smallest file that is read by ranges. A smaller one comes as a whole nearly as soon.
    private static let leastByteCount = 256 << 10
    /// A degraded image is worth bringing before the photograph if it takes at most a quarter of the file's bytes.
    private static let previewShare = 4
    /// The largest number of previews that are brought for degraded images.
    private static let previewLimit = 4
    /// The time after which the search for ranges is given up. Its reads wait for a network, so the limit of a render would
    /// be too short; a source that does not answer has limits of its own.
    private static let longestSearch = Duration.seconds(3600)

    /// Whether a final image needs only some ranges of the file.
    package static func isByRanges(_ head: ImageHead, options: RenderOptions, byteCount: Int) -> Bool {
        guard byteCount >= leastByteCount else { return false }
        if head.rawPicture != nil || !((try? covering(head, options)) ?? []).isEmpty { return true }
        return head.chosenDecoder?.codec.isReadByRanges(head, quality: options.quality) ?? false
    }

    /// The bytes that are brought for a degraded image; nil if the file has no preview, or none that comes much sooner than
    /// the file.
    package static func previewByteCount(_ head: ImageHead, byteCount: Int) -> Int? {
        let ranges = previewRanges(head)
        guard byteCount >= leastByteCount, !ranges.isEmpty else { return nil }
        var count = frontByteCount
        for range in ranges where range.upperBound > frontByteCount {
            let (sum, overflows) = count.addingReportingOverflow(range.length)
            guard !overflows else { return nil }
            count = sum
        }
        return count <= byteCount / previewShare ? count : nil
    }

    /// Brings what a degraded image of any size is made of.
    package static func gatherPreview(_ head: ImageHead, from gatherer: RangeGatherer) throws(RenderError) {
        do throws(ByteSourceError) {
            try gatherer.gather([0..<frontByteCount] + previewRanges(head))
        } catch {
            throw .source(error)
        }
    }

    /// Brings what a final image is made of. It may turn out to be less than a decoder asks for: then the file has to be
    /// brought as a whole.
    ///
    /// - Returns: false if the image needs the whole file.
    package static func gather(
        _ head: ImageHead, options: RenderOptions, limits: RenderLimits, from gatherer: RangeGatherer,
        cancellation: CancellationToken? = nil
    ) throws(RenderError) -> Bool {
        let guardian = DecodeGuard(cancellation: cancellation, duration: longestSearch)
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
        } else if let picture = head.rawPicture {
            ranges = [picture.byteRange]
        } else {
            ranges = try RenderJob.neededRanges(
                gatherer, head: head, options: options, limits: limits, guardian: guardian)
        }
        guard let ranges else { return false }
        do throws(ByteSourceError) {
            try gatherer.gather(ranges)
        } catch {
            throw .source(error)
        }
        return true
    }

    /// The previews that may take the photograph's place in a final image.
    private static func covering(_ head: ImageHead, _ options: RenderOptions) throws(RenderError) -> [EmbeddedPreview] {
        guard options.mayUsePreviews, !head.previews.isEmpty, head.rawPicture == nil else { return [] }
        return PreviewSearch(
            head: head, geometry: try RenditionGeometry(displaySize: head.displaySize, options: options)
        ).covering
    }

    /// The places of the cheap previews. A file of several has them for different sizes.
    private static func previewRanges(_ head: ImageHead) -> [Range<Int>] {
        head.previews.filter { $0.byteCount <= PreviewSearch.cheapByteCount }.prefix(previewLimit).flatMap(pieces)
    }

    private static func pieces(of preview: EmbeddedPreview) -> [Range<Int>] {
        [preview.byteRange, preview.container].compactMap(\.self)
    }
}

extension EmbeddedPreview {
    /// Whether a final image is made of the preview only if it shows the same as the photograph's first bytes.
    fileprivate var isCompared: Bool {
        switch kind {
        case .exif, .multiPicture: true
        case .heifThumbnail, .raw: false
        }
    }
}
