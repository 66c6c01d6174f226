import ThumbwheelCore
import ThumbwheelFormats

extension Renderer {
    /// Renders the preview that is embedded in a file: a degraded image for a fraction of a millisecond.
    ///
    /// It is cropped and reduced as the options say, in the orientation of the photograph, but never enlarged: its size is
    /// at most its own. Black bars that cameras put around previews of another aspect are cut off. Embedded profiles are
    /// not applied.
    ///
    /// - Throws: `.noPreview` where the file has none, or one whose aspect is not the photograph's.
    public func renderPreview(
        _ source: any ByteSource, head: ImageHead? = nil, options: RenderOptions, limits: RenderLimits = RenderLimits(),
        cancellation: CancellationToken? = nil
    ) throws(RenderError) -> RenderedImage {
        let guardian = DecodeGuard(cancellation: cancellation, duration: limits.duration)
        try guardian.check()
        let head = try Self.head(of: source, known: head)
        guard let preview = head.preview else { throw .noPreview }
        guard preview.byteRange.count <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        // A preview is a few thousand bytes in one place: one read, and the decoder runs from memory.
        let bytes: any ByteSource
        do throws(ByteSourceError) {
            let contents = MemoryByteSource(try source.bytes(in: preview.byteRange))
            bytes = try JPEGWithoutMetadata(contents, keepingProfile: false) ?? contents
        } catch {
            throw .source(error)
        }
        let job = PreviewJob(
            bytes: bytes, type: preview.contentType, head: head, options: options, limits: limits, guardian: guardian)
        return try job.run()
    }
}

/// One rendering of an embedded preview.
struct PreviewJob {
    let bytes: any ByteSource
    let type: ContentType
    let head: ImageHead
    var options: RenderOptions
    let limits: RenderLimits
    let guardian: DecodeGuard

    func run() throws(RenderError) -> RenderedImage {
        let decode = try openSufficiently()
        var pixels: [UInt8] = []
        pixels.reserveCapacity(decode.size.pixelCount * decode.channels)
        let rowBytes = decode.size.width * decode.channels
        let (_, error) = decode.forEachRow(in: 0..<decode.size.height) { row in
            pixels.append(contentsOf: UnsafeBufferPointer(start: row, count: rowBytes))
        }
        if let error { throw error }
        let frame = PreviewFrame(pixels: pixels, size: decode.size, channels: decode.channels)
        guard let picture = frame.picture(ofAspect: Double(head.storedSize.width) / Double(head.storedSize.height))
        else { throw .noPreview }
        return RenderedImage(
            bitmap: try bitmap(of: frame, picture: picture), source: .embedded, eighths: decode.eighths,
            decoder: decode.name)
    }

    /// Opens the preview at the scale that the target asks for. Most previews are smaller than any target.
    private func openSufficiently() throws(RenderError) -> any RowDecoder {
        if type == .jpeg, let decode = try JPEGDecode(bytes, eighths: 8, guardian: guardian) {
            guard decode.size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
            let geometry = try geometry(of: head.orientation.displaySize(of: decode.size), scales: Array(1...8))
            decode.scale(to: geometry.decodeEighths)
            return JPEGRows(decode)
        }
        let full = try VipsDecode(
            bytes, type: type, eighths: 8, tolerance: .none, convertsProfile: false, guardian: guardian)
        guard full.size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        let geometry = try geometry(
            of: head.orientation.displaySize(of: full.size), scales: RenditionGeometry.naturalEighths(for: type))
        guard geometry.decodeEighths < 8 else { return full }
        return try VipsDecode(
            bytes, type: type, eighths: geometry.decodeEighths, tolerance: .none, convertsProfile: false,
            guardian: guardian)
    }

    private func geometry(of size: PixelSize, scales: [Int] = [8]) throws(RenderError) -> RenditionGeometry {
        var own = options
        own.allowsUpscaling = false
        return try RenditionGeometry(displaySize: size, options: own, naturalEighths: scales)
    }

    private func bitmap(of frame: PreviewFrame, picture: PreviewFrame.Box) throws(RenderError) -> Bitmap {
        let orientation = head.orientation
        let displaySize = orientation.displaySize(of: picture.size)
        let geometry = try geometry(of: displaySize)
        var box = geometry.sourceBox.stored(
            under: orientation, displayWidth: Double(displaySize.width), displayHeight: Double(displaySize.height))
        box.x += Double(picture.left)
        box.y += Double(picture.top)
        let plan = ResamplingPlan(
            decodedSize: frame.size, channels: frame.channels, box: box,
            outputSize: orientation.displaySize(of: geometry.outputSize), isLinear: options.isLinear)
        return Bitmap(size: geometry.outputSize, format: plan.format) { pixels in
            let store = OrientedStore(
                pixels, storedSize: plan.outputSize, format: plan.format, orientation: orientation)
            let consumer = plan.makeConsumer(storingInto: store)
            frame.pixels.withUnsafeBufferPointer { source in
                for row in consumer.neededRows {
                    consumer.consume(source.baseAddress! + row * frame.size.width * frame.channels)
                }
            }
        }
    }
}
