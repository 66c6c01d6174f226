import ThumbwheelCore

extension ByteSource {
    /// The number of bytes that are read between two checks of whether the decode must stop.
    private static var pieceByteCount: Int { 1 << 20 }

    /// Reads all bytes before `end`, 1 MiB at a time, so that reading a large file from a slow source can be stopped.
    /// Before each MiB, `guardian` is asked whether the decode must stop; if so, its error is thrown.
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
            // An empty read before `end` means that the file has become shorter since its length was read. The bytes
            // that were read so far are returned.
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return bytes
    }
}
