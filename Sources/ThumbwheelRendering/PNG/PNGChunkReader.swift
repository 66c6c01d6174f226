import CISAL
import ThumbwheelCore

/// Reads the chunks of a PNG in order, and their contents a buffer at a time (W3C PNG, third edition, 5.3).
///
/// The file is never in memory as a whole. Before each read, a `DecodeGuard` is asked whether the decode must stop.
final class PNGChunkReader {
    private static let capacity = 64 << 10
    // The number of readable bytes after the buffer, because decoders may read a few bytes too far.
    private static let slack = 64

    private let source: any ByteSource
    private let guardian: DecodeGuard
    // A buffer of `capacity` bytes, followed by zeros.
    private let buffer: UnsafeMutableRawBufferPointer
    private var cursor = 0
    private var filled = 0
    // The offset in the source of the bytes that the next `refill` reads.
    private var position: Int
    // The number of bytes of the current chunk's contents that have not been handed to the caller yet.
    private var left = 0
    private var checksum: UInt32 = 0
    /// The name of the current chunk as a 32-bit number.
    private(set) var kind: UInt32 = 0
    /// The offset in the source at which the current chunk begins.
    private(set) var start = 0
    /// Whether the reader has asked for bytes past the end of the source, a sign that data may be missing.
    private(set) var reachedEnd = false

    /// - Parameter position: the offset in the source of the first chunk to read.
    init(_ source: any ByteSource, at position: Int, checking guardian: DecodeGuard) {
        self.source = source
        self.guardian = guardian
        self.position = position
        buffer = .allocate(byteCount: Self.capacity + Self.slack, alignment: 64)
        buffer[Self.capacity...].initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        buffer.deallocate()
    }

    /// The number of bytes of the current chunk's contents that are still to come.
    var remainingByteCount: Int { left }

    /// Begins the next chunk. The previous chunk must have been read to its end or skipped.
    ///
    /// - Returns: whether there is another chunk.
    func next() throws(RenderError) -> Bool {
        start = position - (filled - cursor)
        guard let length = try integer(), let kind = try integer() else { return false }
        let isNamed = (0..<4).allSatisfy { kind >> ($0 * 8) & 0xDF >= 0x41 && kind >> ($0 * 8) & 0xDF <= 0x5A }
        guard length <= Int32.max, isNamed else { throw .malformed(reason: "a chunk without a name") }
        left = Int(length)
        self.kind = kind
        checksum = withUnsafeBytes(of: kind.bigEndian) { Self.checksum(of: $0, after: 0) }
        return true
    }

    /// The next part of the current chunk's contents, valid until the next call. It is empty after the end of the
    /// contents, and if the file ends too early.
    func piece() throws(RenderError) -> UnsafeRawBufferPointer {
        if cursor == filled, left > 0 { try refill() }
        let count = min(left, filled - cursor)
        let piece = UnsafeRawBufferPointer(rebasing: buffer[cursor..<cursor + count])
        cursor += count
        left -= count
        checksum = Self.checksum(of: piece, after: checksum)
        return piece
    }

    /// Reads the rest of the current chunk's contents, and the checksum after them.
    ///
    /// - Returns: whether the checksum is right; nil if the file ends too early.
    func end() throws(RenderError) -> Bool? {
        while left > 0 {
            if try piece().isEmpty { return nil }
        }
        guard let stated = try integer() else { return nil }
        return stated == checksum
    }

    /// Skips the rest of the current chunk without reading it.
    func skip() {
        let count = left + 4
        let held = min(count, filled - cursor)
        cursor += held
        position += count - held
        left = 0
    }

    /// Reads all contents of the current chunk, and its checksum; nil if the contents are longer than `limit`, or if
    /// the file ends first.
    func contents(limit: Int) throws(RenderError) -> (bytes: [UInt8], isIntact: Bool)? {
        guard left <= limit else { return nil }
        var bytes: [UInt8] = []
        while left > 0 {
            let piece = try piece()
            if piece.isEmpty { return nil }
            bytes.append(contentsOf: piece)
        }
        return try end().map { (bytes, $0) }
    }

    private static func checksum(of bytes: UnsafeRawBufferPointer, after sum: UInt32) -> UInt32 {
        guard let start = bytes.baseAddress else { return sum }
        return tw_crc32(sum, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    /// Reads an integer of four bytes; nil if the file ends first.
    private func integer() throws(RenderError) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            if cursor == filled { try refill() }
            guard cursor < filled else { return nil }
            value = value << 8 | UInt32(buffer[cursor])
            cursor += 1
        }
        return value
    }

    private func refill() throws(RenderError) {
        try guardian.check()
        (cursor, filled) = (0, 0)
        do throws(ByteSourceError) {
            filled = try source.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Self.capacity]), at: position)
        } catch {
            throw .source(error)
        }
        if filled == 0 { reachedEnd = true }
        position += filled
    }
}
