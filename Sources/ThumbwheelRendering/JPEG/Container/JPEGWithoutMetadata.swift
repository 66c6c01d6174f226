import ThumbwheelCore

/// A JPEG without the segments that a decoder of pixels does not use. Its bytes are read from the source of the whole
/// file.
///
/// Without this type, libvips would hand EXIF to a parser that takes longer than the decoding of a preview. JFIF and
/// Adobe segments are kept, because they decide the colour space. Tables, ICC profiles if the caller asks for them, and
/// everything from the first frame on are kept too.
struct JPEGWithoutMetadata: ByteSource {
    private let base: any ByteSource
    // The ranges of the whole file (`base`) that are kept, in order. `start` is the offset of the range's first byte in
    // this source.
    private let pieces: [(start: Int, range: Range<Int>)]
    let byteCount: Int

    /// - Returns: nil if no segment can be left out.
    init?(_ base: any ByteSource, keepingProfile: Bool) throws(ByteSourceError) {
        var kept: [Range<Int>] = []
        var reader = SegmentWalk(base)
        var start = 0
        // Stops the search after `segmentLimit` kept ranges, and keeps everything that follows. There is at most one
        // range before each segment that is left out, and no real picture has so many segments.
        while kept.count < JPEGInput.segmentLimit, let segment = try reader.next() {
            if segment.isNeeded(keepingProfile: keepingProfile) { continue }
            if segment.range.lowerBound > start { kept.append(start..<segment.range.lowerBound) }
            start = segment.range.upperBound
        }
        guard start > 0 else { return nil }
        kept.append(start..<base.byteCount)
        var pieces: [(start: Int, range: Range<Int>)] = []
        var total = 0
        for range in kept {
            pieces.append((total, range))
            total += range.count
        }
        self.base = base
        self.pieces = pieces
        byteCount = total
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0 else { return 0 }
        var done = 0
        for piece in pieces where piece.start + piece.range.count > offset + done && done < buffer.count {
            let inside = offset + done - piece.start
            let count = min(buffer.count - done, piece.range.count - inside)
            let copied = try base.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count]),
                at: piece.range.lowerBound + inside)
            done += copied
            if copied < count { break }
        }
        return done
    }
}

/// Walks through the marker segments between a JPEG's start and its first frame or scan.
private struct SegmentWalk {
    struct Segment {
        let marker: UInt8
        /// The bytes of the whole segment: marker, length and contents.
        let range: Range<Int>

        func isNeeded(keepingProfile: Bool) -> Bool {
            switch marker {
            case 0xE2: keepingProfile
            case 0xE1, 0xE3...0xED, 0xEF, 0xFE: false
            default: true
            }
        }
    }

    private let base: any ByteSource
    private var offset = 2
    private var window: [UInt8] = []
    private var windowStart = 0

    init(_ base: any ByteSource) {
        self.base = base
    }

    mutating func next() throws(ByteSourceError) -> Segment? {
        // If anything unusual is found, parsing stops here, and the decoder gets the remaining bytes unchanged.
        guard try byte(at: offset) == 0xFF, let marker = try byte(at: offset + 1) else { return nil }
        let isTable = marker == 0xDB || marker == 0xC4 || marker == 0xDD
        guard isTable || (0xE0...0xEF).contains(marker) || marker == 0xFE else { return nil }
        guard let high = try byte(at: offset + 2), let low = try byte(at: offset + 3) else { return nil }
        let length = Int(high) << 8 | Int(low)
        guard length >= 2, offset + 2 + length < base.byteCount else { return nil }
        defer { offset += 2 + length }
        return Segment(marker: marker, range: offset..<offset + 2 + length)
    }

    private mutating func byte(at index: Int) throws(ByteSourceError) -> UInt8? {
        if index < windowStart || index >= windowStart + window.count {
            window = try base.bytes(in: min(index, base.byteCount)..<min(index + 1024, base.byteCount))
            windowStart = index
        }
        return index < windowStart + window.count ? window[index - windowStart] : nil
    }
}
