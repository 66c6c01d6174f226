import ThumbwheelCore

/// Reads a JPEG's bytes in order through a buffer of 64 KiB (the chunk). The whole file is never in memory at once.
final class JPEGInput {
    private static let chunkCapacity = 64 << 10
    /// The largest number of bytes that are read from the source ahead of the position that the caller has reached.
    static let readAheadByteCount = chunkCapacity
    /// The number of bytes that are read after a skipped segment. It is much smaller than the buffer. Often the next
    /// segment is skipped too, and most bytes of a full buffer would be read in vain.
    private static let jumpByteCount = 1 << 10
    /// The most marker segments that a file may have; a file with more is rejected. Even very large metadata of a
    /// camera take only a few hundred segments.
    static let segmentLimit = 1024

    let source: any ByteSource
    // Nil if the caller checks by itself whether it must stop.
    private let guardian: DecodeGuard?
    private let chunk: UnsafeMutableRawBufferPointer
    private var chunkCount = 0
    // The offset in the source of the first byte in the buffer `chunk`.
    private var chunkStart = 0
    private var cursor = 0
    private var hasJumped = false
    private var segmentCount = 0

    init(_ source: any ByteSource, checking guardian: DecodeGuard? = nil) {
        self.source = source
        self.guardian = guardian
        chunk = .allocate(byteCount: Self.chunkCapacity, alignment: 64)
    }

    deinit {
        chunk.deallocate()
    }

    var byteCount: Int { source.byteCount }

    /// The offset in the source of the next byte.
    var position: Int {
        get { chunkStart + cursor }
        set {
            if newValue >= chunkStart, newValue <= chunkStart + chunkCount {
                cursor = newValue - chunkStart
            } else {
                chunkStart = newValue
                chunkCount = 0
                cursor = 0
                hasJumped = false
            }
        }
    }

    /// The rest of the current chunk, or the next chunk if the current one is used up; empty only at the end of the
    /// source.
    func available() throws(RenderError) -> UnsafeRawBufferPointer {
        if cursor == chunkCount { try refill() }
        return UnsafeRawBufferPointer(rebasing: chunk[cursor..<chunkCount])
    }

    /// Takes the next byte; nil at the end of the source.
    func next() throws(RenderError) -> UInt8? {
        if cursor == chunkCount {
            try refill()
            if chunkCount == 0 { return nil }
        }
        defer { cursor += 1 }
        return chunk[cursor]
    }

    /// Reads a marker segment and returns its contents, without the two bytes of its length. Nil if the source ends
    /// within the segment.
    func segment() throws(RenderError) -> [UInt8]? {
        try enterSegment()
        guard let high = try next(), let low = try next() else { return nil }
        let count = Int(high) << 8 | Int(low)
        guard count >= 2 else { throw .malformed(reason: "a segment of \(count) bytes") }
        var contents: [UInt8] = []
        contents.reserveCapacity(count - 2)
        while contents.count < count - 2 {
            let piece = try available().prefix(count - 2 - contents.count)
            if piece.isEmpty { return nil }
            contents.append(contentsOf: piece)
            cursor += piece.count
        }
        return contents
    }

    /// Skips a marker segment without reading its contents.
    func skipSegment() throws(RenderError) {
        try enterSegment()
        guard let high = try next(), let low = try next() else { return }
        let count = Int(high) << 8 | Int(low)
        guard count >= 2 else { throw .malformed(reason: "a segment of \(count) bytes") }
        position += count - 2
        hasJumped = chunkCount == 0
    }

    private func enterSegment() throws(RenderError) {
        guard segmentCount < Self.segmentLimit else {
            throw .malformed(reason: "more than \(Self.segmentLimit) segments")
        }
        segmentCount += 1
    }

    /// Reads the next marker's code. Fill bytes and stray bytes before the marker are skipped. Nil at the end of the
    /// source.
    func marker() throws(RenderError) -> UInt8? {
        while true {
            let bytes = try available()
            if bytes.isEmpty { return nil }
            // Skipped entropy-coded data can be megabytes long, so the search for 0xFF looks at eight bytes at a time.
            guard let distance = bytes.offsetOfFF() else {
                cursor += bytes.count
                continue
            }
            cursor += distance
            var code: UInt8? = 0xFF
            while code == 0xFF { code = try next() }
            guard let code else { return nil }
            if code != 0 { return code }
        }
    }

    private func refill() throws(RenderError) {
        // A file can be megabytes of markers, so a check between rows is not enough.
        try guardian?.check()
        chunkStart += chunkCount
        cursor = 0
        chunkCount = 0
        do throws(ByteSourceError) {
            let wanted = hasJumped ? UnsafeMutableRawBufferPointer(rebasing: chunk[..<Self.jumpByteCount]) : chunk
            chunkCount = try source.read(into: wanted, at: chunkStart)
            hasJumped = false
        } catch {
            throw .source(error)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The offset of the first byte that is 0xFF; nil if there is none.
    func offsetOfFF() -> Int? {
        guard let base = baseAddress else { return nil }
        var offset = 0
        while offset &+ 8 <= count {
            let marked = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian.marksOfFF
            if marked != 0 { return offset &+ marked.trailingZeroBitCount &>> 3 }
            offset &+= 8
        }
        while offset < count {
            if self[offset] == 0xFF { return offset }
            offset &+= 1
        }
        return nil
    }
}

extension UInt64 {
    /// Marks the bytes of this number that are 0xFF. For each of them, the result has a 1 in the top bit of the byte at
    /// the same place. All other bits of the result are 0.
    ///
    /// A byte is 0xFF if its top bit is 1 and its lower seven bits are 1. To test the lower seven, 1 is added to them:
    /// the sum carries into the top bit only if all seven are 1. No carry reaches the next byte.
    @inline(__always) var marksOfFF: UInt64 {
        ((self & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x0101_0101_0101_0101) & self & 0x8080_8080_8080_8080
    }
}
