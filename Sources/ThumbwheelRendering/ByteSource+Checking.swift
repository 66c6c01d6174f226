import ThumbwheelCore

extension ByteSource {
    /// Bytes read between two looks at whether to stop.
    private static var pieceByteCount: Int { 1 << 20 }

    /// All bytes in front of `end`, read piece by piece, so that the reading of a large file over a slow way can be stopped.
    func bytes(to end: Int, checking guardian: DecodeGuard) throws(RenderError) -> [UInt8] {
        let end = min(end, byteCount)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end)
        while bytes.count < end {
            try guardian.check()
            let piece: [UInt8]
            do throws(ByteSourceError) {
                piece = try self.bytes(in: bytes.count..<min(end, bytes.count + Self.pieceByteCount))
            } catch {
                throw .source(error)
            }
            // A file that has become shorter.
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return bytes
    }
}
