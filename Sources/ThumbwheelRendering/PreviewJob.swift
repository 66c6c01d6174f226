import ThumbwheelCore
import ThumbwheelFormats

/// One rendering of an embedded preview.
///
/// Rows are resampled as they are decoded: the memory is in proportion to a row, except with decoders of other
/// libraries.
struct PreviewJob {
    let bytes: any ByteSource
    let preview: EmbeddedPreview
    let head: ImageHead
    let options: RenderOptions
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether a hash is made of the picture in it as well.
    let makesThumbHash: Bool
    let evidence: PhotographEvidence
    /// Where the result is to be a final image: what it must be, to the pixel. Else it may be as small as the preview.
    var final: PreviewSearch?

    /// Reads the preview: a few thousand bytes in one place, from which the decoder runs in memory.
    init(
        _ source: any ByteSource, _ preview: EmbeddedPreview, evidence: PhotographEvidence, options: RenderOptions,
        limits: RenderLimits, guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) {
        guard preview.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        self.preview = preview
        self.evidence = evidence
        head = evidence.head
        self.options = options
        self.limits = limits
        self.guardian = guardian
        self.makesThumbHash = makesThumbHash
        do throws(ByteSourceError) {
            if let container = preview.container {
                // What stands in front tells a decoder where the container is.
                let front = 0..<ContentType.sniffedByteCount
                bytes = try SparseByteSource(source, keeping: [front, container, preview.byteRange])
            } else {
                let contents = MemoryByteSource(try source.bytes(in: preview.byteRange))
                bytes = try JPEGWithoutMetadata(contents, keepingProfile: true) ?? contents
            }
        } catch {
            throw .source(error)
        }
    }

    func run() throws(RenderError) -> RenderedImage {
        let decode = try openSufficiently()
        let frame = PreviewFrame(decode, type: preview.contentType, aspect: aspect)
        let picture = frame.picture
        if let final, !final.isCovered(by: picture.width, picture.height) { throw .noPreview }
        var plans = [try plan(for: frame, channels: decode.channels, of: decode)]
        if makesThumbHash { plans.append(ResamplingPlan(forHashOf: frame.pixelSize, channels: decode.channels)) }
        let means = final == nil ? nil : means(of: frame, channels: decode.channels)
        var failure: RenderError?
        let bitmaps = Bitmap.filled(by: plans, orientation: orientation) { stores in
            var consumers = zip(plans, stores).map { plan, store in plan.makeConsumer(storingInto: store) }
            if let means { consumers.append(means) }
            let rows = PreviewRows(
                frame, decodedSize: decode.size, channels: decode.channels, consumer: SharedRows(consumers))
            failure = decode.forEachRow(in: rows.neededRows, rows.consume).error
            if failure == nil, !rows.barsAreBlack { failure = .noPreview }
        }
        if let failure { throw failure }
        if let means, try !isOfPhotograph(means, in: frame.pictureInPixels) { throw .noPreview }
        let upright = try inSRGB(bitmaps, decode)
        var image = RenderedImage(
            bitmap: upright[0], source: .embedded, eighths: decode.eighths, decoder: decode.name)
        if makesThumbHash { image.thumbHash = ThumbHash(upright[1]) }
        return image
    }

    /// The longer side of what a preview is compared by, in blocks.
    private static let mostBlocks = 128

    private func means(of frame: PreviewFrame, channels: Int) -> CoarsePicture {
        CoarsePicture(
            size: frame.pixelSize, channels: channels,
            reduction: CoarsePicture.reduction(of: frame.pixelSize, mostBlocks: Self.mostBlocks))
    }

    /// Whether a preview may stand for its photograph.
    ///
    /// Editors that change only the photograph carry its EXIF previews and multi-picture index along unchanged. Such a
    /// preview must show the same as the photograph's first bytes; if those cannot be decoded here, it is refused. A
    /// HEIF file's thumbnail items, and the pictures of RAW and TIFF files, come from the writer of the photograph and
    /// are trusted.
    private func isOfPhotograph(_ means: CoarsePicture, in box: SourceBox) throws(RenderError) -> Bool {
        switch preview.kind {
        case .heifThumbnail, .raw: true
        case .exif, .multiPicture: try evidence.isShown(by: means, in: box)
        }
    }

    // MARK: Colours

    /// Converts bitmaps to sRGB by the preview's own profile. A preview without one has the colours of its photograph:
    /// cameras make both from the same samples.
    private func inSRGB(_ bitmaps: [Bitmap], _ decode: any RowDecoder) throws(RenderError) -> [Bitmap] {
        let isGrey = decode.channels < 3
        if let own = decode.profile {
            return try bitmaps.map { bitmap throws(RenderError) in
                try bitmap.convertedToSRGB(through: own, isGrey: isGrey, checking: guardian)
            }
        }
        let conversion = ColorConversion(head)
        let profile: [UInt8]? = if case .output = conversion { evidence.profile() } else { nil }
        // A degraded image in slightly wrong colours is better than none; a final image must be right.
        if final != nil, conversion == .stream || conversion == .output && profile == nil { throw .noPreview }
        return try bitmaps.map { bitmap throws(RenderError) in
            try conversion.applied(to: bitmap, profile: profile, isGrey: isGrey, checking: guardian)
        }
    }

    // MARK: Scale and place

    private var orientation: ImageOrientation { head.orientation }

    private var aspect: Double { Double(head.storedSize.width) / Double(head.storedSize.height) }

    /// Opens the preview at the scale that the target asks for. Most previews are smaller than any target.
    private func openSufficiently() throws(RenderError) -> any RowDecoder {
        if preview.contentType == .jpeg,
            let decode = try JPEGDecode(bytes, eighths: 8, keepsProfile: true, guardian: guardian)
        {
            decode.scale(
                to: try sufficientEighths(of: decode.size, natural: Array(1...8)), hasCoarseChroma: final == nil)
            try checkMemory(of: decode.size, isOwnJPEG: true)
            return JPEGRows(decode)
        }
        if let size = preview.pixelSize { try checkMemory(of: size, isOwnJPEG: false) }
        if preview.kind == .heifThumbnail,
            let thumbnail = try HEIFThumbnail(
                bytes, at: preview.byteRange, keepsProfile: ColorConversion(head) == .output, limits: limits,
                guardian: guardian)
        {
            return thumbnail
        }
        let full = try open(eighths: 8)
        try checkMemory(of: full.size, isOwnJPEG: false)
        // Without a thumbnail of its liking, libvips opens the image itself, whose data are not there.
        if preview.kind == .heifThumbnail, full.size != preview.pixelSize { throw .noPreview }
        let eighths = try sufficientEighths(
            of: full.size, natural: loader.eighths)
        return eighths < 8 ? try open(eighths: eighths) : full
    }

    /// Throws if the decode would exceed the memory limit. Must be called before any pixel is decoded.
    ///
    /// - Parameter size: the size of the decode.
    private func checkMemory(of size: PixelSize, isOwnJPEG: Bool) throws(RenderError) {
        let memory = PreviewMemory(preview, decodedSize: size, isOwnJPEG: isOwnJPEG)
        guard memory.workingByteCount <= limits.memoryByteCount else { throw .limitExceeded(limit: .memory) }
    }

    private func sufficientEighths(of size: PixelSize, natural: [Int]) throws(RenderError) -> Int {
        guard size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        // The scale must let the bars show: if they are not black, the preview is of another picture.
        let natural = natural.filter { $0 >= PreviewFrame.leastEighths(of: size, aspect: aspect) || $0 == 8 }
        if let final { return final.sufficientEighths(of: size, natural: natural) }
        let covering = try geometry(
            Double(size.width), Double(size.height), naturalEighths: natural
        ).decodeEighths
        return min(covering, PreviewSearch.eighthsForDegraded(of: size, natural: natural))
    }

    private func open(eighths: Int) throws(RenderError) -> any RowDecoder {
        try VipsDecode(
            bytes, loader: loader, eighths: eighths, tolerance: .none, convertsProfile: false, guardian: guardian)
    }

    /// The loader for what this library's own decoder does not read: thumbnail items, and JPEGs of other codings.
    private var loader: VipsLoader { preview.kind == .heifThumbnail ? .heifThumbnail : .jpeg }

    /// The geometry of a degraded image.
    ///
    /// - Parameter width, height: the picture's sides in stored orientation.
    private func geometry(
        _ width: Double, _ height: Double, naturalEighths: [Int] = [8]
    ) throws(RenderError) -> RenditionGeometry {
        var own = options
        own.allowsUpscaling = false
        // A degraded image is worth no more than the smallest decode that covers it.
        own.quality = .fast
        return try RenditionGeometry(
            displayWidth: orientation.isTransposing ? height : width,
            displayHeight: orientation.isTransposing ? width : height, options: own, naturalEighths: naturalEighths)
    }

    private func plan(
        for frame: PreviewFrame, channels: Int, of decode: any RowDecoder
    ) throws(RenderError) -> ResamplingPlan {
        let picture = frame.picture
        let geometry: RenditionGeometry
        if let final { geometry = final.geometry } else { geometry = try self.geometry(picture.width, picture.height) }
        // A final image shows the photograph's own area; a degraded one, the preview's.
        let shown =
            final == nil
            ? (width: picture.width, height: picture.height)
            : (width: Double(head.storedSize.width), height: Double(head.storedSize.height))
        var box = geometry.sourceBox
            .stored(
                under: orientation, displayWidth: orientation.isTransposing ? shown.height : shown.width,
                displayHeight: orientation.isTransposing ? shown.width : shown.height
            )
            .scaled(horizontally: picture.width / shown.width, vertically: picture.height / shown.height)
        let outputSize = orientation.displaySize(of: geometry.outputSize)
        let place = frame.pictureInPixels
        if final == nil, geometry.isNatural, !frame.hasBars, outputSize == decode.size {
            // The output is the decode itself, its last, incomplete pixels included.
            box = SourceBox(x: 0, y: 0, width: Double(outputSize.width), height: Double(outputSize.height))
        } else {
            box.x += place.x
            box.y += place.y
        }
        return ResamplingPlan(
            decodedSize: frame.pixelSize, channels: channels, box: box, outputSize: outputSize,
            isLinear: options.isLinear, end: (place.x + place.width, place.y + place.height))
    }
}

extension PreviewFrame {
    /// Makes the frame of a decode. Decodes of JPEGs, by libjpeg or this library, are exact eighths with an incomplete
    /// last pixel; other decodes are stretched to whole pixels.
    fileprivate init(_ decode: any RowDecoder, type: ContentType, aspect: Double) {
        let exact = Double(decode.eighths) / 8
        let isExact = type == .jpeg
        self.init(
            fullSize: decode.storedSize, decodedSize: decode.size,
            scale: (
                isExact ? exact : Double(decode.size.width) / Double(decode.storedSize.width),
                isExact ? exact : Double(decode.size.height) / Double(decode.storedSize.height)
            ), aspect: aspect)
    }
}
