import CWebP
import ThumbwheelCore

/// Passes the chunks of a WebP's picture to libwebp in pieces, whose sizes `WebPPieces` chooses. The decode can be
/// stopped between two pieces.
final class WebPInput {
    private let source: any ByteSource
    private let guardian: DecodeGuard
    private let container: WebPContainer
    // The bytes of the picture's chunks, one chunk after the other. A stream refers to them as long as it exists.
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var reachedEnd = false

    init(_ source: any ByteSource, _ container: WebPContainer, checking guardian: DecodeGuard) {
        self.source = source
        self.container = container
        self.guardian = guardian
        // A chunk's header may claim more bytes than the file has.
        let byteCount = container.chunks.reduce(0) { $0 + $1.clamped(to: 0..<source.byteCount).count }
        // The system provides a page of this memory only when bytes are read into it.
        buffer = .allocate(byteCount: max(1, byteCount), alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// Passes the picture to a decoder, and calls `goesOn` after each piece. Stops when `goesOn` returns false. Must be
    /// called at most once, and the decoder must not be used any more once this input is gone.
    ///
    /// - Parameter height: the height of the decoded picture in pixels.
    /// - Throws: `.truncated` if the data end before the picture is complete. The decoded fraction in the error is 0,
    ///   because this class does not know the number of decoded rows. The caller has to replace it.
    func decode(
        by stream: WebPStream, height: Int, while goesOn: () throws(RenderError) -> Bool
    ) throws(RenderError) {
        var filled = 0
        for chunk in container.chunks {
            var pieces = pieces(height: height)
            var position = chunk.lowerBound
            while position < chunk.upperBound {
                try guardian.check()
                // The data that come before the data of the rows are passed in one piece, because libwebp only stores
                // them, which takes little time. The data of the rows are passed in small pieces, so that the decode
                // can stop between two pieces.
                let isBeforeRows = chunk.contains(container.rowsStart) && position < container.rowsStart
                let end = min(chunk.upperBound, isBeforeRows ? container.rowsStart : position + pieces.byteCount)
                let count: Int
                do throws(ByteSourceError) {
                    let room = buffer[filled...].prefix(end - position)
                    count =
                        room.isEmpty
                        ? 0 : try source.read(into: UnsafeMutableRawBufferPointer(rebasing: room), at: position)
                } catch {
                    throw .source(error)
                }
                guard count > 0 else {
                    reachedEnd = true
                    throw .truncated(decodedFraction: 0)
                }
                position += count
                filled += count
                let rowCount = stream.rowCount
                switch stream.decode(UnsafeRawBufferPointer(rebasing: buffer[..<filled])) {
                case VP8_STATUS_SUSPENDED, VP8_STATUS_OK: break
                default: throw .malformed(reason: "libwebp finds the stream broken")
                }
                guard try goesOn() else { return }
                if !isBeforeRows { pieces.completed(rowCount: stream.rowCount - rowCount) }
            }
        }
        guard stream.isComplete else { throw .truncated(decodedFraction: 0) }
        _ = try goesOn()
    }

    private func pieces(height: Int) -> WebPPieces {
        // A chunk's header may claim more bytes than the file has.
        let end = min(container.chunks.last?.upperBound ?? 0, source.byteCount)
        return WebPPieces(
            rowByteCount: max(0, end - container.rowsStart), pixelCount: container.size.pixelCount, height: height,
            isLossless: !container.isLossy)
    }
}
