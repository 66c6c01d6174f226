import ThumbwheelCore

/// Reads single bytes of a source through a buffer of 16 KiB. Headers and run-length codes are read one byte at a time,
/// and a separate read of the source for each byte would be slow.
struct ByteWindow {
    private static let size = 16 << 10

    private let source: any ByteSource
    private let guardian: DecodeGuard?
    private var bytes: [UInt8] = []
    private var start = 0

    /// - Parameter guardian: the guard of the decode, which is asked before each read of the source whether the decode
    ///   must stop. Nil if reading need not be stopped.
    init(_ source: any ByteSource, checking guardian: DecodeGuard? = nil) {
        self.source = source
        self.guardian = guardian
    }

    /// The byte at `offset` in the source; nil if `offset` is at or past the end of the source.
    mutating func byte(at offset: Int) throws(RenderError) -> UInt8? {
        if offset < start || offset >= start + bytes.count {
            try guardian?.check()
            do throws(ByteSourceError) {
                bytes = try source.bytes(in: min(offset, source.byteCount)..<min(offset + Self.size, source.byteCount))
            } catch {
                throw .source(error)
            }
            start = offset
            if bytes.isEmpty { return nil }
        }
        return bytes[offset - start]
    }
}
