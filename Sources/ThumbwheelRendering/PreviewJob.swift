import ThumbwheelCore
import ThumbwheelFormats

/// One rendering of an embedded preview.
struct PreviewJob {
    let bytes: any ByteSource
    let photograph: any ByteSource
    let preview: EmbeddedPreview
    let head: ImageHead
    let options: RenderOptions
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether a hash is made of the picture in it as well.
    let makesThumbHash: Bool
    /// Where the result is to be a final image: what it must be, to the pixel. Else it may be as small as the preview.
    var final: PreviewSearch?

    /// 160×120 by convention (Design rule for Camera File system).
    private static let usualPixelCount = 160 * 120

    /// Reads the preview: a few thousand bytes in one place, from which the decoder runs in memory.
    init(
        _ source: any ByteSource, _ preview: EmbeddedPreview, head: ImageHead, options: RenderOptions,
        limits: RenderLimits, guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) {
        guard preview.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        photograph = source
        self.preview = preview
        self.head = head
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
                let keepsProfile = ColorConversion(head) != .none
                bytes = try JPEGWithoutMetadata(contents, keepingProfile: keepsProfile) ?? contents
            }
        } catch {
            throw .source(error)
        }
    }

    func run() throws(RenderError) -> RenderedImage {
        let decode = try openSufficiently()
        let conversion = ColorConversion(head)
        // A thumbnail item is coded like its picture. Of other previews without a profile of their own nobody knows.
        let coded = preview.kind == .heifThumbnail ? conversion.codedColors : nil
        if final != nil, coded == nil, decode.profile == nil,
            try conversion.changesColors(of: photograph, head: head)
        {
            throw .noPreview
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(decode.size.pixelCount * decode.channels)
        let rowBytes = decode.size.width * decode.channels
        let (_, error) = decode.forEachRow(in: 0..<decode.size.height) { row in
            pixels.append(contentsOf: UnsafeBufferPointer(start: row, count: rowBytes))
        }
        if let error { throw error }
        let frame = PreviewFrame(
            pixels: pixels, size: decode.size, channels: decode.channels, isReduced: decode.eighths < 8)
        guard let picture = frame.picture(ofAspect: Double(head.storedSize.width) / Double(head.storedSize.height))
        else { throw .noPreview }
        if let final, final.scale(of: picture.size) < final.neededScale * (1 - 1e-9) { throw .noPreview }
        func converted(_ bitmap: Bitmap) throws(RenderError) -> Bitmap {
            if let coded { return try coded.convertedToSRGB(bitmap, checking: guardian) }
            guard conversion != .none, let profile = decode.profile else { return bitmap }
            return try bitmap.convertedToSRGB(through: profile, checking: guardian)
        }
        let plan = try plan(for: frame, picture: picture)
        var image = RenderedImage(
            bitmap: try converted(bitmap(of: frame, by: plan)), source: .embedded, eighths: decode.eighths,
            decoder: decode.name)
        if makesThumbHash {
            let plan = ResamplingPlan(forHashOf: picture.size, channels: frame.channels)
            image.thumbHash = ThumbHash(
                try converted(bitmap(of: frame, by: plan, left: picture.left, top: picture.top)))
        }
        return image
    }

    /// Opens the preview at the scale that the target asks for. Most previews are smaller than any target.
    private func openSufficiently() throws(RenderError) -> any RowDecoder {
        if preview.contentType == .jpeg,
            let decode = try JPEGDecode(
                bytes, eighths: 8, keepsProfile: ColorConversion(head.profile) != .none, guardian: guardian)
        {
            decode.scale(
                to: try sufficientEighths(of: decode.size, natural: Array(1...8)), hasCoarseChroma: final == nil)
            return JPEGRows(decode)
        }
        let full = try open(eighths: 8)
        // Without a thumbnail of its liking, libvips opens the image itself, whose data are not there.
        if preview.kind == .heifThumbnail, full.size != preview.pixelSize { throw .noPreview }
        let eighths = try sufficientEighths(
            of: full.size, natural: RenditionGeometry.naturalEighths(for: preview.contentType))
        return eighths < 8 ? try open(eighths: eighths) : full
    }

    private func sufficientEighths(of size: PixelSize, natural: [Int]) throws(RenderError) -> Int {
        guard size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        guard let final else {
            let covering = try geometry(of: orientation.displaySize(of: size), naturalEighths: natural).decodeEighths
            // A degraded image may be small: a part of a large preview comes much sooner, and is no less than the usual one.
            let sufficing = [3, 4].first {
                natural.contains($0) && size.scaled(toEighths: $0, .up).pixelCount >= Self.usualPixelCount
            }
            return min(covering, sufficing ?? 8)
        }
        // The bars that may be found are cut off at whole pixels, which takes a little more.
        let scale = final.scale(of: size)
        return natural.first { scale * Double($0) / 8 >= final.neededScale * 1.05 } ?? 8
    }

    private func open(eighths: Int) throws(RenderError) -> any RowDecoder {
        try VipsDecode(
            bytes, type: preview.contentType, eighths: eighths, tolerance: .none, convertsProfile: false,
            guardian: guardian, loader: preview.kind == .heifThumbnail ? .heifThumbnail : nil)
    }

    private var orientation: ImageOrientation { head.orientation }

    private func geometry(
        of size: PixelSize, naturalEighths: [Int] = [8]
    ) throws(RenderError) -> RenditionGeometry {
        var own = options
        own.allowsUpscaling = false
        // A degraded image is worth no more than the smallest decode that covers it.
        own.quality = .fast
        return try RenditionGeometry(displaySize: size, options: own, naturalEighths: naturalEighths)
    }

    private func plan(for frame: PreviewFrame, picture: PreviewFrame.Box) throws(RenderError) -> ResamplingPlan {
        let pictureSize = orientation.displaySize(of: picture.size)
        let shownSize = final == nil ? pictureSize : head.displaySize
        let geometry: RenditionGeometry
        if let final { geometry = final.geometry } else { geometry = try self.geometry(of: pictureSize) }
        var box = geometry.sourceBox
            .stored(
                under: orientation, displayWidth: Double(shownSize.width), displayHeight: Double(shownSize.height)
            )
        if final != nil {
            box = box.scaled(
                horizontally: Double(picture.size.width) / Double(head.storedSize.width),
                vertically: Double(picture.size.height) / Double(head.storedSize.height))
        }
        box.x += Double(picture.left)
        box.y += Double(picture.top)
        return ResamplingPlan(
            decodedSize: frame.size, channels: frame.channels, box: box,
            outputSize: orientation.displaySize(of: geometry.outputSize), isLinear: options.isLinear)
    }

    /// - Parameters:
    ///   - left: where in the frame the plan's pixels begin, and where `top`.
    private func bitmap(of frame: PreviewFrame, by plan: ResamplingPlan, left: Int = 0, top: Int = 0) -> Bitmap {
        Bitmap(size: orientation.displaySize(of: plan.outputSize), format: plan.format) { pixels in
            let store = OrientedStore(
                pixels, storedSize: plan.outputSize, format: plan.format, orientation: orientation)
            let consumer = plan.makeConsumer(storingInto: store)
            frame.pixels.withUnsafeBufferPointer { source in
                for row in consumer.neededRows {
                    consumer.consume(
                        source.baseAddress! + ((top + row) * frame.size.width + left) * frame.channels)
                }
            }
        }
    }
}
