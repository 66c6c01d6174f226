import ThumbwheelCore

/// The codes of a GIF's picture, from sub-blocks of at most 255 bytes (GIF89a, 15), in larger pieces.
final class GIFCodes {
    /// Bytes that are read from the source at once.
    private static let readByteCount = 64 << 10
    /// Bytes of a piece. Decoded they are some megabytes at most.
    private static let pieceByteCount = 4 << 10

    private let source: any ByteSource
    private let guardian: DecodeGuard
    // What was read, and then the piece that is made of it.
    private let buffer: UnsafeMutableRawBufferPointer
    // Where in the source the next read begins.
    private var position: Int
    private var held = 0..<0
    // Bytes of the sub-block that are still to come.
    private var left = 0
    private var isComplete = false
    /// Whether the file ended before the sub-blocks did.
    private(set) var reachedEnd = false

    /// - Parameter position: of the first sub-block.
    init(_ source: any ByteSource, at position: Int, checking guardian: DecodeGuard) {
        self.source = source
        self.position = position
        self.guardian = guardian
        buffer = .allocate(byteCount: Self.readByteCount + Self.pieceByteCount, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// The next of the codes, good until the next call; empty behind the last sub-block, and where the file ends.
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
