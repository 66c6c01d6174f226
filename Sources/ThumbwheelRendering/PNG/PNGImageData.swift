import ThumbwheelCore

/// The inflated contents of all data chunks, from the first to the last (W3C PNG, third edition, 10).
///
/// Checksums are treated as in libpng:
/// - The checksum of a chunk is checked after its contents.
/// - After the last scanline, the zlib stream either ends with its checksum, or goes on with surplus data. The
///   checksum's value is not checked (libpng only warns), and surplus data are ignored. A stream that breaks off
///   instead is an error.
final class PNGImageData {
    /// The number of bytes that are inflated between two checks whether the decode must stop.
    private static let stepByteCount = 256 << 10

    private let chunks: PNGChunkReader
    private let guardian: DecodeGuard
    private let stream = InflateStream()
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    // The number of bytes of chunk contents that were handed to the inflating stream. The stream may not have inflated
    // all of these bytes yet.
    private var takenCount = 0
    // The number of bytes of chunk contents in all chunks before the current one.
    private var chunkStart = 0
    // An error in the file after the bytes that the inflating stream has received. It is not reported at once, because
    // the stream may not need the bytes after the error. It is reported only in two cases: the stream needs more bytes,
    // or the stream ends in the chunk that has the error.
    private var inputFailure: RenderError?
    /// The error that ended the inflating; nil if there is none. The decoded fraction in a `.truncated` error is only a
    /// placeholder, because this class does not know the image's size. The caller must replace it.
    private(set) var failure: RenderError?

    /// Makes a reader at the start of the image data.
    ///
    /// - Parameter chunks: a reader that is at the beginning of the first data chunk.
    init(_ chunks: PNGChunkReader, checking guardian: DecodeGuard) {
        self.chunks = chunks
        self.guardian = guardian
    }

    var reachedEnd: Bool { chunks.reachedEnd }

    /// Inflates data until the given buffer is full.
    ///
    /// - Returns: the number of bytes that were written. It is less than the size of the buffer only if there is a
    ///   `failure`.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < room.count, failure == nil {
            var count = 0
            let end = min(room.count, filled + Self.stepByteCount)
            do throws(RenderError) {
                try guardian.check()
                guard try inflate(into: UnsafeMutableRawBufferPointer(rebasing: room[filled..<end]), &count) else {
                    throw .malformed(reason: "data end before the last row")
                }
            } catch {
                failure = error
            }
            filled += count
        }
        return filled
    }

    /// Checks the data after the last scanline, up to the checksum of the chunk in which the stream ends.
    ///
    /// - Returns: the error that was found; nil if there is none.
    func finish() -> RenderError? {
        do throws(RenderError) {
            if let failure { throw failure }
            let excess = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
            defer { excess.deallocate() }
            var count = 0
            _ = try inflate(into: excess, &count)
            // The current chunk may lie after the chunk in which the stream has ended, because a chunk may be opened
            // before the stream is known to have ended. Such a chunk is ignored, and there is no error. If the stream
            // has ended in the current chunk, the checksum of this chunk must be right. The checksums of earlier chunks
            // have been checked.
            guard takenCount - input.count - stream.excessByteCount > chunkStart else { return nil }
            if let inputFailure { throw inputFailure }
            guard let isIntact = try chunks.end() else { throw .truncated(decodedFraction: 1) }
            guard isIntact else { throw Self.damage }
            return nil
        } catch {
            return error
        }
    }

    /// Inflates until a buffer is full or the stream ends.
    ///
    /// - Parameter count: is increased by the number of bytes written, even if an error is thrown.
    /// - Returns: whether the buffer is full.
    private func inflate(into room: UnsafeMutableRawBufferPointer, _ count: inout Int) throws(RenderError) -> Bool {
        while true {
            switch stream.inflate(&input, hasMore: inputFailure == nil, into: room, after: &count) {
            case .outputFull: return true
            case .complete: return count == room.count
            case .damaged: throw Self.damage
            case .endOfInput:
                if let inputFailure { throw inputFailure }
                do throws(RenderError) {
                    input = try nextInput()
                    takenCount += input.count
                } catch {
                    guard error.isDamage else { throw error }
                    inputFailure = error
                }
            }
        }
    }

    private static let damage = RenderError.malformed(reason: "compressed data are damaged")

    /// The next compressed bytes, from this data chunk or the data chunks that follow it.
    private func nextInput() throws(RenderError) -> UnsafeRawBufferPointer {
        while true {
            let piece = try chunks.piece()
            guard piece.isEmpty else { return piece }
            guard let isIntact = try chunks.end() else { throw .truncated(decodedFraction: 0) }
            guard isIntact else { throw Self.damage }
            chunkStart = takenCount
            guard try chunks.next() else { throw .truncated(decodedFraction: 0) }
            guard chunks.kind == PNGChunkKind.data else { throw .malformed(reason: "data end before the last row") }
        }
    }
}
