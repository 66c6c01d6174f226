import ThumbwheelCore
import ThumbwheelFormats

/// Decodes a lossy WebP picture without alpha to planes of luma and chroma. The rows of the planes are reduced as soon
/// as they are complete.
final class WebPRows: PlaneDecoder {
    /// The choices that make a decode coarser and faster.
    struct Options {
        /// The number of pixels, in each direction, that are averaged into one: 1, or an even number.
        var reduction = 1
        /// Whether libwebp smooths the edges of blocks. False only if pixels are averaged, which hides the difference,
        /// because smoothing takes time.
        var isFiltered = true
    }

    private let guardian: DecodeGuard
    private let input: WebPInput
    private let planes: WebPPlanes
    private let blocks: [PixelSize]
    let scales: PlaneScales
    let size: PixelSize
    let storedSize: PixelSize
    let eighths: Int
    let profile: [UInt8]?

    var channels: Int { 3 }
    var colors: PlaneColors { .luma(.bt601) }
    var exactScale: (horizontal: Double, vertical: Double)? { (scales.pixelRatio, scales.pixelRatio) }
    var means: BlockMeans? { nil }
    var reachedEnd: Bool { input.reachedEnd }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .webp }

    /// Opens a picture for decoding.
    ///
    /// - Parameter container: the places of the picture's data in the file. The picture must be lossy, have no alpha
    ///   and cover the whole canvas.
    init(
        _ source: any ByteSource, _ container: WebPContainer, _ options: Options, keepsProfile: Bool,
        limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        precondition(container.isPlainLossy && (options.reduction == 1 || options.reduction % 2 == 0))
        storedSize = container.canvas
        guard storedSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        guard WebPPlanes.byteCount(of: storedSize) <= limits.memoryByteCount else {
            throw .limitExceeded(limit: .memory)
        }
        guard let planes = WebPPlanes(storedSize, isFiltered: options.isFiltered) else {
            throw .unavailable(reason: "libwebp could not be started")
        }
        self.planes = planes
        self.guardian = guardian
        input = WebPInput(source, container, checking: guardian)
        profile = keepsProfile ? try container.profileContents(in: source) : nil
        let reduction = options.reduction
        // The size of the blocks of samples that are averaged into one sample, for luma, Cb and Cr. Chroma has half of
        // luma's resolution in each direction, so its blocks have half the side. `reduction` is the side of luma's
        // blocks. If it is not 1, it is even, so that the blocks of all planes cover the same pixels.
        let blocks = [reduction, max(1, reduction / 2), max(1, reduction / 2)].map { PixelSize(width: $0, height: $0) }
        self.blocks = blocks
        eighths = max(1, 8 / reduction)
        scales = PlaneScales(
            eighths: eighths, pixelRatio: 1 / Double(reduction),
            planes: planes.sizes.indices.map { index in
                let (size, block) = (planes.sizes[index], blocks[index].width)
                let ratio = 1 / Double(index == 0 ? block : 2 * block)
                return PlaneScales.Plane(
                    scale: 8,
                    size: PixelSize(
                        width: (size.width + block - 1) / block, height: (size.height + block - 1) / block),
                    horizontalRatio: ratio, verticalRatio: ratio, unitHeight: reduction == 1 && index == 0 ? 2 : 1)
            })
        size = scales.planes[0].size
    }

    /// Does nothing: `means` stays nil. The means would have to cover the whole picture, but a decode may end before it
    /// has reached the last row.
    func collectMeans() {}

    /// Does nothing: libwebp decodes a picture on one thread.
    func share(with assistants: any RenderAssistants) {}

    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd {
        let feed = WebPPlaneFeed(planes, blocks: blocks, to: consumer, checking: guardian)
        do throws(RenderError) {
            try input.decode(by: planes.stream, height: storedSize.height) { () throws(RenderError) in
                try feed.feed(upTo: planes.completeRowCount)
                return !feed.isComplete
            }
            return DecodeEnd(decodedFraction: 1)
        } catch {
            let fraction = feed.fedFraction
            if error.isDamage { feed.feedGrey() }
            return DecodeEnd(error, after: fraction)
        }
    }
}
