import ThumbwheelCore

/// Decodes a WebP picture to RGB or RGBA by libwebp's incremental decoder. If the file is cut short, all complete rows
/// are decoded.
final class WebPDecode: RowDecoder {
    /// The number of rows between two checks of whether the decode must stop.
    private static let bandHeight = 16

    private let guardian: DecodeGuard
    private let container: WebPContainer
    private let input: WebPInput
    private let canvas: WebPCanvas
    let size: PixelSize
    let eighths: Int
    let profile: [UInt8]?

    var storedSize: PixelSize { container.canvas }
    var channels: Int { container.hasAlpha ? 4 : 3 }
    var sideRounding: FloatingPointRoundingRule { Self.sideRounding }
    var reachedEnd: Bool { input.reachedEnd }
    var name: RenderedImage.Decoder { .webp }

    /// The rule by which scaled sides are rounded. It is the same as in libvips.
    private static let sideRounding = FloatingPointRoundingRule.toNearestOrEven

    init(
        _ source: any ByteSource, _ container: WebPContainer, eighths: Int, keepsProfile: Bool, limits: RenderLimits,
        guardian: DecodeGuard
    ) throws(RenderError) {
        let whole = container.canvas
        guard whole.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        self.container = container
        self.guardian = guardian
        input = WebPInput(source, container, checking: guardian)
        // The scale was chosen for the size in the file's header. The picture itself may have another size. If this
        // scale would make one of its sides shorter than a pixel, the picture is decoded at full size.
        self.eighths = min(whole.width, whole.height) * eighths >= 8 ? eighths : 8
        size = whole.scaled(toEighths: self.eighths, Self.sideRounding)
        profile = keepsProfile ? try container.profileContents(in: source) : nil
        let byteCount = size.pixelCount * (container.hasAlpha ? 4 : 3) + container.decoderByteCount
        guard byteCount <= limits.memoryByteCount else { throw .limitExceeded(limit: .memory) }
        // The edges of the frame are scaled, by the rule for the sides of the canvas, and not its size. So a frame that
        // reaches an edge of the canvas reaches it at every scale.
        let scale = Double(self.eighths) / 8
        func edge(_ place: Int) -> Int { Int((Double(place) * scale).rounded(Self.sideRounding)) }
        let left = min(edge(container.left), size.width - 1)
        let top = min(edge(container.top), size.height - 1)
        let frame = PixelSize(
            width: max(1, min(edge(container.left + container.size.width), size.width) - left),
            height: max(1, min(edge(container.top + container.size.height), size.height) - top))
        guard
            let canvas = WebPCanvas(
                size, hasAlpha: container.hasAlpha, frame: frame, left: left, top: top,
                isScaled: frame != container.size)
        else { throw .unavailable(reason: "libwebp could not be started") }
        self.canvas = canvas
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        var next = rows.lowerBound
        do throws(RenderError) {
            try input.decode(by: canvas.stream, height: size.height) { () throws(RenderError) in
                let end = min(rows.upperBound, canvas.completeRowCount)
                while next < end {
                    if next % Self.bandHeight == 0 { try guardian.check() }
                    body(canvas.row(next))
                    next += 1
                }
                return next < rows.upperBound
            }
            return (next - rows.lowerBound, nil)
        } catch {
            var error = error
            if case .truncated = error {
                error = .truncated(decodedFraction: Double(canvas.completeRowCount) / Double(size.height))
            }
            return (next - rows.lowerBound, error)
        }
    }
}
