import ThumbwheelCore

/// A PNG without its colour profile, read from the source of the whole file.
///
/// libpng inflates a profile as soon as it meets it, needed or not. This source hides a profile that is too large or
/// does not count.
struct PNGWithoutProfile: ByteSource {
    private let base: any ByteSource
    private let chunk: Range<Int>

    /// The number of chunks that are searched before the pixels; files have a dozen.
    private static let chunkLimit = 1024

    var byteCount: Int { base.byteCount - chunk.count }

    /// - Returns: nil if no profile is found before the pixels.
    /// - Throws: `.malformed` for a second profile: libpng would inflate that one.
    init?(_ base: any ByteSource) throws(RenderError) {
        var profile: Range<Int>?
        var window = ByteWindow(base)
        var position = 8
        for _ in 0..<Self.chunkLimit {
            var front: [UInt8] = []
            for offset in position..<position + 8 {
                if let byte = try window.byte(at: offset) { front.append(byte) }
            }
            guard front.count == 8 else { break }
            // Adds the length and the kind in front, and the checksum behind.
            let end = position + 12 + front[..<4].reduce(0) { $0 << 8 | Int($1) }
            guard end <= base.byteCount, !front[4...].elementsEqual("IDAT".utf8) else { break }
            if front[4...].elementsEqual("iCCP".utf8) {
                guard profile == nil else { throw .malformed(reason: "two colour profiles") }
                profile = position..<end
            }
            position = end
        }
        guard let profile else { return nil }
        self.base = base
        chunk = profile
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
