import ThumbwheelCore

/// Single bytes of a source, read through a window: runs are a byte here and a byte there.
struct ByteWindow {
    private static let size = 16 << 10

    private let source: any ByteSource
    private var bytes: [UInt8] = []
    private var start = 0

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// The byte at `offset`; nil at or past the end.
    mutating func byte(at offset: Int) throws(RenderError) -> UInt8? {
        if offset < start || offset >= start + bytes.count {
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
