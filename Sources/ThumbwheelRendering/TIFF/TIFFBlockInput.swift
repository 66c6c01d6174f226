import ThumbwheelCore

/// The bytes of a strip or tile as the file stores them, read one buffer at a time.
final class TIFFBlockInput {
    private static let capacity = 64 << 10
    // The number of spare bytes after the buffer. Decoders may read a few bytes beyond the end of the data.
    private static let slack = 64

    private let source: any ByteSource
    private let guardian: DecodeGuard
    private var left: Range<Int>
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Parameter range: the range of the bytes in the file; it may reach beyond the file's end.
    init(_ source: any ByteSource, in range: Range<Int>, checking guardian: DecodeGuard) {
        self.source = source
        self.guardian = guardian
        left = range
        buffer = .allocate(byteCount: min(range.count, Self.capacity) + Self.slack, alignment: 64)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        buffer.deallocate()
    }

    /// Reads the next bytes, which are valid until the next call; empty if no bytes are left.
    ///
    /// - Throws: `.truncated` if the file ends before the strip or tile does.
    func piece() throws(RenderError) -> UnsafeRawBufferPointer {
        let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.dropLast(Self.slack)))
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Fills a buffer with the next bytes.
    ///
    /// - Returns: the number of bytes that were read, and the error that prevented more bytes. If the buffer is not
    ///   full and there is no error, no bytes are left.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?) {
        var count = 0
        do throws(RenderError) {
            while count < room.count, !left.isEmpty {
                count += try read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    private func read(into room: UnsafeMutableRawBufferPointer) throws(RenderError) -> Int {
        // Compressed data can be endless without a single byte of output, so a check between rows is not enough.
        try guardian.check()
        let wanted = UnsafeMutableRawBufferPointer(rebasing: room[..<min(room.count, left.count)])
        guard !wanted.isEmpty else { return 0 }
        let count: Int
        do throws(ByteSourceError) {
            count = try source.read(into: wanted, at: left.lowerBound)
        } catch {
            throw .source(error)
        }
        guard count > 0 else { throw .truncated(decodedFraction: 0) }
        left = left.lowerBound + count..<left.upperBound
        return count
    }
}
