import CWebP
import ThumbwheelCore

/// One decode of a WebP picture by libwebp's incremental decoder, which can be stopped between any two pieces of the file,
/// and which shows what there is of a file that is cut short.
final class WebPDecode: RowDecoder {
    /// Rows handed over between two looks at whether to stop.
    private static let bandHeight = 16

    private let source: any ByteSource
    private let guardian: DecodeGuard
    private let container: WebPContainer
    private let stream: WebPStream
    let size: PixelSize
    let eighths: Int
    let profile: [UInt8]?
    private(set) var reachedEnd = false

    var storedSize: PixelSize { container.canvas }
    var channels: Int { container.hasAlpha ? 4 : 3 }
    var sideRounding: FloatingPointRoundingRule { Self.sideRounding }
    var name: RenderedImage.Decoder { .webp }

    /// As libvips does.
    private static let sideRounding = FloatingPointRoundingRule.toNearestOrEven

    init(
        _ source: any ByteSource, eighths: Int, keepsProfile: Bool, limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        container = try WebPContainer(source)
        let canvas = container.canvas
        guard canvas.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        self.source = source
        self.guardian = guardian
        // The head may have told of another size; nothing less than a pixel can be decoded to.
        self.eighths = min(canvas.width, canvas.height) * eighths >= 8 ? eighths : 8
        size = canvas.scaled(toEighths: self.eighths, Self.sideRounding)
        do throws(ByteSourceError) {
            profile =
                keepsProfile
                ? try container.profile.map { range throws(ByteSourceError) in
                    try source.bytes(in: range)
                } : nil
        } catch {
            throw .source(error)
        }
        let scale = Double(self.eighths) / 8
        var frame = container.size.scaled(toEighths: self.eighths, Self.sideRounding)
        let left = min(Int((Double(container.left) * scale).rounded()), size.width - 1)
        let top = min(Int((Double(container.top) * scale).rounded()), size.height - 1)
        frame.width = min(frame.width, size.width - left)
        frame.height = min(frame.height, size.height - top)
        guard
            let stream = WebPStream(
                canvas: size, hasAlpha: container.hasAlpha, frame: frame, left: left, top: top,
                isScaled: frame != container.size)
        else { throw .unavailable(reason: "libwebp could not be started") }
        self.stream = stream
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        var next = rows.lowerBound
        do throws(RenderError) {
            try decode { () throws(RenderError) in
                let end = min(rows.upperBound, stream.completeRowCount)
                while next < end {
                    if next % Self.bandHeight == 0 { try guardian.check() }
                    body(stream.row(next))
                    next += 1
                }
                return next < rows.upperBound
            }
            return (next - rows.lowerBound, nil)
        } catch {
            return (next - rows.lowerBound, error)
        }
    }

    /// Feeds the file to the decoder until `goesOn`, asked after each piece, says that it is enough.
    private func decode(while goesOn: () throws(RenderError) -> Bool) throws(RenderError) {
        var piece: [UInt8] = []
        for chunk in container.chunks {
            var pieces = pieces
            var position = chunk.lowerBound
            while position < chunk.upperBound {
                try guardian.check()
                // What precedes the rows is only kept by the decoder: all of it at once, so that no row comes with it.
                let isBeforeRows = chunk.contains(container.rowsStart) && position < container.rowsStart
                let end = isBeforeRows ? container.rowsStart : position + pieces.byteCount
                do throws(ByteSourceError) {
                    piece = try source.bytes(in: position..<min(chunk.upperBound, end))
                } catch {
                    throw .source(error)
                }
                guard !piece.isEmpty else {
                    reachedEnd = true
                    throw .truncated(decodedFraction: Double(stream.completeRowCount) / Double(size.height))
                }
                position += piece.count
                let rowCount = stream.completeRowCount
                switch stream.append(piece) {
                case VP8_STATUS_SUSPENDED, VP8_STATUS_OK: break
                default: throw .malformed(reason: "libwebp finds the stream broken")
                }
                guard try goesOn() else { return }
                if !isBeforeRows { pieces.completed(rowCount: stream.completeRowCount - rowCount) }
            }
        }
        guard stream.isComplete else {
            throw .truncated(decodedFraction: Double(stream.completeRowCount) / Double(size.height))
        }
        _ = try goesOn()
    }

    private var pieces: WebPPieces {
        // A chunk may claim more than the file has.
        let end = min(container.chunks.last?.upperBound ?? 0, source.byteCount)
        return WebPPieces(
            rowByteCount: max(0, end - container.rowsStart), pixelCount: container.size.pixelCount, height: size.height)
    }
}
