import ThumbwheelCore
import ThumbwheelFormats

/// Makes an image from one preview that is embedded in a photograph's file.
///
/// Rows are resampled as they are decoded, so the memory in use is in proportion to one row. Only the decoders of other
/// libraries keep a whole picture in memory.
struct PreviewJob {
    let bytes: any ByteSource
    let preview: EmbeddedPreview
    let head: ImageHead
    let options: RenderOptions
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether a `ThumbHash`, a placeholder of a few bytes, is made from the preview as well.
    let makesThumbHash: Bool
    let evidence: PhotographEvidence
    /// The search that chose the preview, if a final image is made from the preview. The search also tells whether the
    /// preview has enough pixels for the requested size. Nil if a degraded image is made: a quick first image, which may
    /// be as small as the preview.
    var finalSearch: PreviewSearch?

    /// Reads the preview's bytes into memory for the decoder. That costs little, because most previews have only a few
    /// thousand bytes.
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
                // Copies three ranges of the file into memory, because the decoder reads no others: the file's first
                // bytes, `container`, and the preview itself. `container` is the part of a HEIF file with the boxes
                // that describe the preview. It is nil if the preview is a file of its own, as a JPEG preview is.
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
        if let finalSearch, !finalSearch.isCovered(by: picture.width, picture.height) { throw .noPreview }
        var plans = [try plan(for: frame, channels: decode.channels, of: decode)]
        plans[0].light = light(of: decode)
        if makesThumbHash { plans.append(ResamplingPlan(forHashOf: frame.pixelSize, channels: decode.channels)) }
        let coarsePicture = finalSearch == nil ? nil : coarsePicture(of: frame, channels: decode.channels)
        var failure: RenderError?
        let bitmaps = Bitmap.filled(by: plans, orientation: orientation) { stores in
            var consumers = zip(plans, stores).map { plan, store in plan.makeConsumer(storingInto: store) }
            if let coarsePicture { consumers.append(coarsePicture) }
            let rows = PreviewRows(
                frame, decodedSize: decode.size, channels: decode.channels, consumer: SharedRows(consumers))
            failure = decode.forEachRow(in: rows.neededRows, rows.consume).error
            if failure == nil, !rows.barsAreBlack { failure = .noPreview }
        }
        if let failure { throw failure }
        if let coarsePicture, try !isOfPhotograph(coarsePicture, in: frame.pictureInPixels) { throw .noPreview }
        let isLight = plans[0].light != nil
        let upright = isLight ? [bitmaps[0]] + (try inSRGB(Array(bitmaps[1...]), decode)) : try inSRGB(bitmaps, decode)
        var image = RenderedImage(
            bitmap: options.pixelRange == .extended ? upright[0].inExtendedRange() : upright[0], source: .embedded,
            eighths: decode.eighths, decoder: decode.name)
        if makesThumbHash { image.thumbHash = ThumbHash(upright[1]) }
        return image
    }

    /// The largest number of blocks along the longer side of the coarse picture that is compared with the photograph.
    private static let blockLimit = 128

    private func coarsePicture(of frame: PreviewFrame, channels: Int) -> CoarsePicture {
        CoarsePicture(
            size: frame.pixelSize, channels: channels,
            reduction: CoarsePicture.reduction(of: frame.pixelSize, blockLimit: Self.blockLimit))
    }

    /// Whether the preview is known to show the same picture as the photograph, so that a final image may be made from
    /// it.
    ///
    /// Some editors change the photograph but leave the old previews in its EXIF data and its multi-picture index. A
    /// preview from there is therefore compared with the upper part of the photograph, decoded from the file's first
    /// bytes. If this library's own decoder cannot decode that part, the preview is refused.
    ///
    /// Thumbnail items of HEIF files and pictures in RAW and TIFF files are trusted, because they are written together
    /// with the photograph. The cover picture of a video is trusted as well.
    private func isOfPhotograph(_ coarsePicture: CoarsePicture, in box: SourceBox) throws(RenderError) -> Bool {
        switch preview.kind {
        case .heifThumbnail, .raw, .cover: true
        case .exif, .multiPicture: try evidence.isShown(by: coarsePicture, in: box)
        }
    }

    // MARK: Colours

    /// Converts bitmaps to sRGB by the preview's own profile. A preview without a profile is assumed to have the colour
    /// space of its photograph, because cameras make both from the same samples.
    private func inSRGB(_ bitmaps: [Bitmap], _ decode: any RowDecoder) throws(RenderError) -> [Bitmap] {
        let isGrey = decode.channels < 3
        if let own = decode.profile {
            return try bitmaps.map { bitmap throws(RenderError) in
                try bitmap.convertedToSRGB(through: own, isGrey: isGrey, checking: guardian)
            }
        }
        let conversion = ColorConversion(head)
        let profile: [UInt8]? = if case .output = conversion { evidence.profile() } else { nil }
        // If the preview's colours are not known, a degraded image in slightly wrong colours is better than none, but a
        // final image must be right.
        if finalSearch != nil, conversion == .stream || conversion == .output && profile == nil { throw .noPreview }
        return try bitmaps.map { bitmap throws(RenderError) in
            try conversion.applied(
                to: bitmap, profile: profile, calibration: calibration(of: decode), isGrey: isGrey, checking: guardian)
        }
    }

    /// The conversion of the preview's samples to linear light. As in `inSRGB`, the samples have the colour space of
    /// the preview's own profile, or else that of the photograph. Nil in three cases:
    /// - 8-bit samples are requested.
    /// - Only libvips can convert the colours.
    /// - The colour space needs the photograph's profile, and that profile cannot be read.
    private func light(of decode: any RowDecoder) -> LightConversion? {
        guard options.pixelRange == .extended else { return nil }
        let isGrey = decode.channels < 3
        if let own = decode.profile { return LightConversion.conversion(of: own, isGrey: isGrey) }
        let conversion = ColorConversion(head)
        if case .stream = conversion { return nil }
        let profile: [UInt8]? = if case .output = conversion { evidence.profile() } else { nil }
        if conversion == .output, profile == nil { return nil }
        return conversion.light(profile: profile, calibration: calibration(of: decode), isGrey: isGrey)
    }

    /// The colour space that the coded data of a thumbnail item state. The picture of such a file is shown by its own
    /// coded data too. Other kinds of previews have the colours of their photograph.
    private func calibration(of decode: any RowDecoder) -> CodedColors? {
        preview.kind == .heifThumbnail ? decode.calibration : nil
    }

    // MARK: Orientation, scale and geometry

    private var orientation: ImageOrientation { head.orientation }

    private var aspect: Double { Double(head.storedSize.width) / Double(head.storedSize.height) }

    /// Opens the preview at the smallest scale that the target needs. Most previews are smaller than any target, and
    /// are decoded at full size.
    private func openSufficiently() throws(RenderError) -> any RowDecoder {
        if preview.contentType == .jpeg,
            let decode = try JPEGDecode(bytes, eighths: 8, keepsProfile: true, guardian: guardian)
        {
            decode.scale(
                to: try sufficientEighths(of: decode.size, natural: Array(1...8)), hasCoarseChroma: finalSearch == nil)
            try checkMemory(of: decode.size, isOwnJPEG: true)
            return JPEGRows(decode)
        }
        if let size = preview.pixelSize { try checkMemory(of: size, isOwnJPEG: false) }
        // The cover picture of a video may be a PNG file.
        if preview.contentType == .png {
            let decode = try PNGDecode(
                bytes, usesCalibration: head.codedColor == nil, showsDamage: false, limits: limits, guardian: guardian)
            guard decode.size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
            return decode
        }
        if preview.kind == .heifThumbnail,
            let thumbnail = try HEIFThumbnail(
                bytes, at: preview.byteRange, keepsProfile: ColorConversion(head) == .output, limits: limits,
                guardian: guardian)
        {
            return thumbnail
        }
        // libvips does not tell whether a thumbnail agrees with the picture, so no final image is made from it.
        if preview.kind == .heifThumbnail, finalSearch != nil { throw .noPreview }
        let full = try open(eighths: 8)
        try checkMemory(of: full.size, isOwnJPEG: false)
        // Refuses the preview if libvips has opened the main image in its place. libvips does so if it accepts no
        // thumbnail of the file, and the size then differs from the preview's size. The main image cannot be decoded,
        // because `bytes` does not contain its data.
        if preview.kind == .heifThumbnail, full.size != preview.pixelSize { throw .noPreview }
        let eighths = try sufficientEighths(
            of: full.size, natural: loader.eighths)
        return eighths < 8 ? try open(eighths: eighths) : full
    }

    /// Throws an error if the decode would exceed the memory limit. This must be called before any pixel is decoded.
    ///
    /// - Parameters:
    ///   - size: the size of the decoded preview in pixels.
    ///   - isOwnJPEG: whether this library's own decoder of JPEG decodes the preview.
    private func checkMemory(of size: PixelSize, isOwnJPEG: Bool) throws(RenderError) {
        let memory = PreviewMemory(preview, decodedSize: size, isOwnJPEG: isOwnJPEG)
        guard memory.workingByteCount <= limits.memoryByteCount else { throw .limitExceeded(limit: .memory) }
    }

    private func sufficientEighths(of size: PixelSize, natural: [Int]) throws(RenderError) -> Int {
        guard size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        // The decoded preview must be large enough to show the black bars around the picture, because their colour is
        // checked. Bars that are not black mean that the preview shows another picture.
        let natural = natural.filter { $0 >= PreviewFrame.minimumEighths(of: size, aspect: aspect) || $0 == 8 }
        if let finalSearch { return finalSearch.sufficientEighths(of: size, natural: natural) }
        let covering = try geometry(
            Double(size.width), Double(size.height), naturalEighths: natural
        ).decodeEighths
        return min(covering, PreviewSearch.eighthsForDegraded(of: size, natural: natural))
    }

    private func open(eighths: Int) throws(RenderError) -> any RowDecoder {
        try VipsDecode(
            bytes, loader: loader, eighths: eighths, tolerance: .none, convertsProfile: false, guardian: guardian)
    }

    /// The libvips loader for previews that this library's own decoder does not read: thumbnail items of HEIF files,
    /// and JPEGs of rare codings.
    private var loader: VipsLoader { preview.kind == .heifThumbnail ? .heifThumbnail : .jpeg }

    /// The geometry of a degraded image made from a picture of the given size.
    ///
    /// - Parameter width, height: the sides of the picture in stored orientation, in pixels.
    private func geometry(
        _ width: Double, _ height: Double, naturalEighths: [Int] = [8]
    ) throws(RenderError) -> RenditionGeometry {
        var own = options
        own.allowsUpscaling = false
        // A degraded image is replaced soon, so the smallest decode with enough pixels for the target suffices.
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
        if let finalSearch {
            geometry = finalSearch.geometry
        } else {
            geometry = try self.geometry(picture.width, picture.height)
        }
        // The geometry's box is in pixels of the photograph for a final image, and in pixels of the preview's picture
        // for a degraded image.
        let shown =
            finalSearch == nil
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
        if finalSearch == nil, geometry.isNatural, !frame.hasBars, outputSize == decode.size {
            // The output is the whole decoded preview, without resampling. It includes the last column and the last
            // row, although their pixels may lie partly outside the picture.
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
    /// Finds the area of a decoded preview that shows the picture, and the areas that show black bars. This needs the
    /// exact scale of the decode. A JPEG is scaled by exact eighths, whether libjpeg or this library decodes it. So the
    /// last pixel of a row or column may lie partly outside the preview. Other formats are stretched a little, so that
    /// all pixels lie inside.
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
