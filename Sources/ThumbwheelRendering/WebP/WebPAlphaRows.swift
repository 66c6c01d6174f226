import ThumbwheelCore
import ThumbwheelFormats

/// Decodes a lossy WebP picture with alpha to rows of red, green, blue and alpha. Blocks of pixels are averaged as soon as
/// they are complete, each pixel's colours by the weight of its alpha.
///
/// libwebp could scale the picture itself, but it scales planes pixel by pixel, which takes as long as decoding them.
final class WebPAlphaRows: RowDecoder {
    private let guardian: DecodeGuard
    private let input: WebPInput
    private let planes: WebPPlanes
    private let reduction: Int
    let size: PixelSize
    let storedSize: PixelSize
    let eighths: Int
    let profile: [UInt8]?
    private var columns: Range<Int>

    let channels = 4
    var exactScale: (horizontal: Double, vertical: Double)? { (1 / Double(reduction), 1 / Double(reduction)) }
    var reachedEnd: Bool { input.reachedEnd }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .webp }

    /// Opens a picture for decoding.
    ///
    /// - Parameters:
    ///   - container: the places of the picture's data in the file. The picture must be lossy and cover the whole canvas.
    ///   - options: their reduction must be even.
    init(
        _ source: any ByteSource, _ container: WebPContainer, _ options: WebPRows.Options, keepsProfile: Bool,
        limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        precondition(container.isLossy && container.coversCanvas && options.reduction % 2 == 0)
        storedSize = container.canvas
        guard storedSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        let byteCount = WebPPlanes.byteCount(of: storedSize, hasAlpha: true) + container.decoderByteCount
        guard byteCount <= limits.memoryByteCount else { throw .limitExceeded(limit: .memory) }
        guard let planes = WebPPlanes(storedSize, hasAlpha: true, isFiltered: options.isFiltered) else {
            throw .unavailable(reason: "libwebp could not be started")
        }
        self.planes = planes
        self.guardian = guardian
        input = WebPInput(source, container, checking: guardian)
        profile = keepsProfile ? try container.profileContents(in: source) : nil
        reduction = options.reduction
        eighths = max(1, 8 / reduction)
        size = PixelSize(
            width: (storedSize.width + reduction - 1) / reduction,
            height: (storedSize.height + reduction - 1) / reduction)
        columns = 0..<size.width
    }

    func narrow(to columns: Range<Int>) { self.columns = columns.clamped(to: 0..<size.width) }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        let reducer = AlphaReducer(planes, reduction: reduction, columns: columns)
        var next = rows.lowerBound
        do throws(RenderError) {
            try input.decode(by: planes.stream, height: storedSize.height) { () throws(RenderError) in
                let complete = planes.completeRowCount
                let end = complete == storedSize.height ? size.height : complete / reduction
                while next < min(rows.upperBound, end) {
                    try guardian.check()
                    body(reducer.row(next))
                    next += 1
                }
                return next < rows.upperBound
            }
            return (next - rows.lowerBound, nil)
        } catch {
            var error = error
            if case .truncated = error {
                error = .truncated(decodedFraction: Double(planes.completeRowCount) / Double(storedSize.height))
            }
            return (next - rows.lowerBound, error)
        }
    }
}
