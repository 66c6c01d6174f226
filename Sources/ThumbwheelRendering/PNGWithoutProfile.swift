import ThumbwheelCore

/// A PNG without its colour profile, read from the source that holds the whole.
///
/// libpng inflates a profile as soon as it meets it, whatever it is for: one that is too large to be worth it, or that does
/// not count, is kept from it.
struct PNGWithoutProfile: ByteSource {
    private let base: any ByteSource
    private let chunk: Range<Int>

    /// Chunks that are looked at before the pixels; files have a dozen.
    private static let chunkLimit = 1024

    var byteCount: Int { base.byteCount - chunk.count }

    /// - Returns: nil where no profile is found in front of the pixels.
    init?(_ base: any ByteSource) throws(RenderError) {
        var window = ByteWindow(base)
        var position = 8
        for _ in 0..<Self.chunkLimit {
            var front: [UInt8] = []
            for offset in position..<position + 8 {
                guard let byte = try window.byte(at: offset) else { return nil }
                front.append(byte)
            }
            // Length and kind in front, a checksum behind.
            let end = position + 12 + front[..<4].reduce(0) { $0 << 8 | Int($1) }
            guard end <= base.byteCount, !front[4...].elementsEqual("IDAT".utf8) else { return nil }
            if front[4...].elementsEqual("iCCP".utf8) {
                self.base = base
                chunk = position..<end
                return
            }
            position = end
        }
        return nil
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < chunk.lowerBound else {
            return try base.read(into: buffer, at: offset < 0 ? offset : offset + chunk.count)
        }
        let front = min(buffer.count, chunk.lowerBound - offset)
        let count = try base.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<front]), at: offset)
        guard count == front, front < buffer.count else { return count }
        return try count
            + base.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[front...]), at: chunk.upperBound)
    }
}
