import ThumbwheelCore

/// The inflated contents of all data chunks, from the first to the last (W3C PNG, third edition, 10).
///
/// Checksums are treated as in libpng. The checksum of a chunk is checked after its contents. After the last scanline,
/// the zlib stream must end with a checksum, whose value is not checked (libpng only warns). If more inflated data
/// follow instead, they are ignored.
final class PNGImageData {
    /// The number of bytes that are inflated between two checks whether the decode must stop.
    private static let stepByteCount = 256 << 10

    private let chunks: PNGChunkReader
    private let guardian: DecodeGuard
    private let stream = InflateStream()
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The error that ended the inflating; nil if there is none. If it is `.truncated`, its fraction is a placeholder
    /// that the caller replaces.
    private(set) var failure: RenderError?

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
        var count = 0
        do throws(RenderError) {
            if let failure { throw failure }
            while count < room.count {
                let end = min(room.count, count + Self.stepByteCount)
                let step = stream.inflate(&input, into: UnsafeMutableRawBufferPointer(rebasing: room[count..<end]))
                count += step.count
                switch step.pause {
                case .room: try guardian.check()
                case .input: input = try nextInput()
                case .damaged: throw Self.damage
                case .complete:
                    guard count == room.count else { throw .malformed(reason: "data end before the last row") }
                }
            }
        } catch {
            failure = error
        }
        return count
    }

    /// Checks the data after the last scanline, up to the checksum of the chunk in which the stream ends.
    ///
    /// - Returns: the error that was found; nil if there is none.
    func finish() -> RenderError? {
        do throws(RenderError) {
            if let failure { throw failure }
            let excess = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
            defer { excess.deallocate() }
            var isComplete = false
            while !isComplete {
                let step = stream.inflate(&input, into: excess)
                if step.count > 0 { break }
                switch step.pause {
                case .complete: isComplete = true
                case .damaged: throw Self.damage
                case .input: input = try nextInput()
                case .room: try guardian.check()
                }
            }
            guard let isIntact = try chunks.end() else { throw .truncated(decodedFraction: 1) }
            guard isIntact else { throw Self.damage }
            return nil
        } catch {
            return error
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
            guard try chunks.next() else { throw .truncated(decodedFraction: 0) }
            guard chunks.kind == PNGChunkKind.data else { throw .malformed(reason: "data end before the last row") }
        }
    }
}
