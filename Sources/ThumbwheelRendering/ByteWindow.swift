import ThumbwheelCore

/// Single bytes of a source, read through a window: runs are a byte here and a byte there.
struct ByteWindow {
    private static let size = 16 << 10

    private let source: any ByteSource
    private let guardian: DecodeGuard?
    private var bytes: [UInt8] = []
    private var start = 0

    /// - Parameter guardian: checked whenever the window moves, so that a walk through a file of any length can be
    ///   stopped.
    init(_ source: any ByteSource, checking guardian: DecodeGuard? = nil) {
        self.source = source
        self.guardian = guardian
    }

    /// The byte at `offset`; nil at or past the end.
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
