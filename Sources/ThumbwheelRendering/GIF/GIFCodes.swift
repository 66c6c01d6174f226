import ThumbwheelCore

/// Collects the LZW codes of a GIF's picture into pieces of 4 KiB for the decoder. The file stores the codes in
/// sub-blocks of at most 255 bytes (GIF89a, 15).
final class GIFCodes {
    /// The number of bytes that are read from the source at once.
    private static let readByteCount = 64 << 10
    /// The number of bytes of a piece of the codes. Pieces are small because a cancelled decode stops only between two
    /// pieces, and even one of 4 KiB may decode to a few megabytes of indices.
    private static let pieceByteCount = 4 << 10

    private let source: any ByteSource
    private let guardian: DecodeGuard
    // The memory for the bytes that were read from the source and, after them, for the current piece of codes.
    private let buffer: UnsafeMutableRawBufferPointer
    // The offset in the source at which the next read begins.
    private var position: Int
    private var held = 0..<0
    // The number of bytes of the current sub-block that have not been copied into a piece yet.
    private var left = 0
    private var isComplete = false
    /// Whether the file ended before the sub-blocks did, a sign that data are missing.
    private(set) var reachedEnd = false

    /// - Parameter position: the offset of the first sub-block in the file.
    init(_ source: any ByteSource, at position: Int, checking guardian: DecodeGuard) {
        self.source = source
        self.position = position
        self.guardian = guardian
        buffer = .allocate(byteCount: Self.readByteCount + Self.pieceByteCount, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// The next piece of the codes, valid until the next call. The piece is empty if no sub-blocks are left, or if the
    /// file ends too early.
    func piece() throws(RenderError) -> UnsafeRawBufferPointer {
        try guardian.check()
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[Self.readByteCount...])
        var count = 0
        while count < room.count, !isComplete {
            if held.isEmpty {
                try refill()
                if held.isEmpty { break }
            }
            if left == 0 {
                left = Int(buffer[held.lowerBound])
                held = held.dropFirst()
                isComplete = left == 0
            } else {
                let part = min(left, held.count, room.count - count)
                room.baseAddress!.advanced(by: count).copyMemory(
                    from: buffer.baseAddress! + held.lowerBound, byteCount: part)
                held = held.dropFirst(part)
                left -= part
                count += part
            }
        }
        return UnsafeRawBufferPointer(rebasing: room[..<count])
    }

    private func refill() throws(RenderError) {
        try guardian.check()
        do throws(ByteSourceError) {
            held =
                0..<(try source.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Self.readByteCount]), at: position))
        } catch {
            throw .source(error)
        }
        position += held.count
        if held.isEmpty { reachedEnd = true }
    }
}
