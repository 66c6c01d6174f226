import ThumbwheelCore
import ThumbwheelFormats

/// One rendering of a whole image file: a strict decode, and where that fails a tolerant one that shows how much there is.
struct RenderJob {
    private let bytes: any ByteSource
    private let head: ImageHead
    private let options: RenderOptions
    private let limits: RenderLimits
    private let guardian: DecodeGuard
    private let loader: VipsLoader
    private let conversion: ColorConversion
    private let naturalEighths: [Int]
    private let geometry: RenditionGeometry

    init(
        _ source: any ByteSource, head: ImageHead, options: RenderOptions, limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        guard let loader = VipsLoader(head.contentType) else { throw .unsupportedFormat }
        self.head = head
        self.options = options
        self.limits = limits
        self.guardian = guardian
        self.loader = loader
        conversion = ColorConversion(head.profile)
        naturalEighths = RenditionGeometry.naturalEighths(for: head.contentType)
        geometry = try RenditionGeometry(
            displaySize: head.displaySize, options: options, naturalEighths: naturalEighths)
        if case .jpeg = loader {
            let keepsProfile = if case .none = conversion { false } else { true }
            do throws(ByteSourceError) {
                bytes = try JPEGWithoutMetadata(source, keepingProfile: keepsProfile) ?? source
            } catch {
                throw .source(error)
            }
        } else {
            bytes = source
        }
    }

    func run() throws(RenderError) -> RenderedImage {
        var strict = try attempt(tolerance: .none)
        guard let failure = strict.failure else { return strict.image! }
        switch failure {
        case .truncated, .malformed: break
        default: throw failure
        }
        if case .jpeg = loader { return try tolerantJPEG(after: failure) }
        // Other formats: what came before the damage is all there is.
        guard options.quality == .fast, strict.decodedRowCount > 0, strict.image != nil else { throw failure }
        strict.image!.isPartial = true
        return strict.image!
    }

    /// libjpeg warns of things that do no harm, and goes on without a word where data are missing, leaving neutral grey:
    /// so the pixels themselves must tell whether the image is whole.
    private func tolerantJPEG(after failure: RenderError) throws(RenderError) -> RenderedImage {
        let tolerant = try attempt(tolerance: .all)
        if let second = tolerant.failure { throw second }
        guard var image = tolerant.image else { throw failure }
        // A progressive file that ends early lacks whole scans: nothing is grey, and nothing is sharp.
        let lacksScans = tolerant.reachedEnd && head.jpeg?.process == .progressive
        // Grey is telltale only where samples were not converted.
        let isUnclear = if case .stream = conversion { true } else { false }
        if !tolerant.endsGrey, !lacksScans, !isUnclear { return image }
        guard options.quality == .fast, tolerant.decodedRowCount > 0 else {
            if case .truncated = failure, lacksScans { throw failure }
            throw .truncated(decodedFraction: tolerant.decodedFraction)
        }
        image.isPartial = true
        return image
    }

    /// What one decode came to.
    private struct Attempt {
        var image: RenderedImage?
        var failure: RenderError?
        /// Rows up to the last that is not neutral grey all over.
        var decodedRowCount: Int
        var decodedFraction: Double
        var endsGrey: Bool
        var reachedEnd: Bool
    }

    private func attempt(tolerance: VipsLoader.Tolerance) throws(RenderError) -> Attempt {
        let convertsStream = if case .stream = conversion { true } else { false }
        var attempt = Attempt(
            image: nil, failure: nil, decodedRowCount: 0, decodedFraction: 0, endsGrey: false, reachedEnd: false)
        let decode: VipsDecode
        do throws(RenderError) {
            decode = try VipsDecode(
                bytes, type: head.contentType, eighths: geometry.decodeEighths, tolerance: tolerance,
                convertsProfile: convertsStream, guardian: guardian)
        } catch {
            attempt.failure = error
            return attempt
        }
        let orientation = loader.appliesOrientation ? .up : head.orientation
        let (plan, displaySize) = try plan(for: decode, orientation: orientation)
        var damage = DamageWatch(channels: decode.channels, width: decode.size.width)
        var bitmap = try Bitmap(size: displaySize, format: plan.format) { (pixels) throws(RenderError) in
            let store = OrientedStore(
                pixels, storedSize: plan.outputSize, format: plan.format, orientation: orientation)
            let consumer = plan.makeConsumer(storingInto: store)
            let rows = consumer.neededRows
            let watches = tolerance == .all
            let (count, error) = decode.forEachRow(in: rows) { row in
                if watches { damage.look(at: row) }
                consumer.consume(row)
            }
            attempt.failure = error
            attempt.decodedRowCount = watches ? damage.rowsBeforeGrey : count
            guard error != nil, options.quality == .fast, count < rows.count else { return }
            let grey = [UInt8](repeating: 128, count: decode.size.width * decode.channels)
            grey.withUnsafeBufferPointer { for _ in count..<rows.count { consumer.consume($0.baseAddress!) } }
        }
        attempt.endsGrey = damage.endsGrey
        attempt.reachedEnd = decode.reachedEnd
        attempt.decodedFraction = Double(attempt.decodedRowCount) / Double(decode.size.height)
        if attempt.failure == nil || options.quality == .fast {
            if case .output = conversion {
                bitmap = try bitmap.convertedToSRGB(throughProfileOf: decode.handle, checking: guardian)
            }
            attempt.image = RenderedImage(
                bitmap: bitmap, source: decode.eighths == 8 ? .full : .reduced, eighths: decode.eighths, decoder: .vips)
        }
        return attempt
    }

    /// The way from the decode's pixels to the output, by the size that the decode really has.
    private func plan(
        for decode: borrowing VipsDecode, orientation: ImageOrientation
    ) throws(RenderError) -> (ResamplingPlan, displaySize: PixelSize) {
        let storedSize = decode.eighths == 8 ? decode.size : head.storedSize
        guard storedSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        let displaySize = orientation.displaySize(of: storedSize)
        let geometry =
            displaySize == head.displaySize
            ? geometry
            : try RenditionGeometry(displaySize: displaySize, options: options, naturalEighths: [8])
        let whole = SourceBox(
            x: 0, y: 0, width: Double(decode.size.width), height: Double(decode.size.height))
        var plan = ResamplingPlan(
            decodedSize: decode.size, channels: decode.channels, box: whole, outputSize: decode.size,
            kernel: options.quality == .high ? .lanczos3 : .triangle, isLinear: options.isLinear,
            headroom: options.sampling == .best ? 3.5 : 2)
        guard !geometry.isNatural else { return (plan, orientation.displaySize(of: decode.size)) }
        guard geometry.outputSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        // libjpeg's pixels are exact eighths, with a last one that is incomplete; libwebp stretches to whole pixels.
        let isJPEG = if case .jpeg = loader { true } else { false }
        let eighths = Double(decode.eighths) / 8
        plan.box = geometry.sourceBox
            .stored(
                under: orientation, displayWidth: Double(displaySize.width), displayHeight: Double(displaySize.height)
            )
            .scaled(
                horizontally: isJPEG ? eighths : whole.width / Double(storedSize.width),
                vertically: isJPEG ? eighths : whole.height / Double(storedSize.height))
        plan.outputSize = orientation.displaySize(of: geometry.outputSize)
        return (plan, geometry.outputSize)
    }
}
