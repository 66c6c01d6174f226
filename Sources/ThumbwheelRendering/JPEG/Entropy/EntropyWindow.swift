/// A section of a scan's entropy-coded data without its byte stuffing, divided into segments by restart markers.
///
/// The markers themselves are left out, and only their positions are recorded. So the bytes have no gaps, and a decoder
/// can load 64 bits at a time. Some bytes after the window's end can be read as well, because a decoder notices only at
/// the end of a minimum coded unit that it has passed the window's end.
final class EntropyWindow {
    static let defaultCapacity = 48 << 10
    /// The number of bytes after the window's end that may be read. It must be larger than the sum of two numbers:
    /// - the bytes of two of the longest minimum coded units, each with 10 blocks of 64 codes of 31 bits
    /// - `SingleScanReader.guessLimit.bytes`, the number of bytes after which a guessed start of a unit is given up
    static let slack = 8192

    private let input: JPEGInput
    private let capacity: Int
    private let buffer: UnsafeMutablePointer<UInt8>
    /// The number of bytes in the window.
    private(set) var count = 0
    /// The offsets in the window at which restart markers were removed, in rising order.
    private(set) var markers: [Int] = []
    /// Whether the window ends where the scan ends, at a marker or at the end of the file. If so, there are no more
    /// data to load.
    private(set) var endsScan = false
    /// The offset in the file at which a helper thread begins to read ahead. It must lie beyond the bytes that have
    /// been read so far. Neither the byte at this offset nor the byte before it may be 0xFF, so that neither a marker
    /// nor a stuffed byte is cut in two.
    var seamOffset = Int.max
    /// The place at which a helper thread begins to read ahead, as an offset in the window. It is the same place as
    /// `seamOffset`, which is an offset in the file. Nil until the window has been filled up to this place.
    private(set) var seam: Int?
    // The number of the scan's bytes that were dropped from the window, counted without byte stuffing and markers.
    private var passedCount = 0
    // The offset in the scan's data at which the current segment begins. A segment is the data between two restart
    // markers. The offset counts neither byte stuffing nor markers.
    private var segmentStart = 0

    /// Makes an empty window at the start of the scan's data.
    ///
    /// - Parameters:
    ///   - input: the file, whose next byte is the scan's first.
    ///   - capacity: the number of bytes that the window holds at once.
    init(_ input: JPEGInput, capacity: Int = defaultCapacity) {
        self.input = input
        self.capacity = capacity
        buffer = .allocate(capacity: capacity + Self.slack)
        buffer.initialize(repeating: 0, count: capacity + Self.slack)
    }

    deinit {
        buffer.deallocate()
    }

    /// The address of the window's bytes. It is the same until the window is destroyed. `advance` moves the bytes, so
    /// the index of a byte is valid only until the next call of `advance`.
    var bytes: UnsafePointer<UInt8> { UnsafePointer(buffer) }

    /// Drops the bytes before `offset` and the first `markerCount` markers, then reads until the window is full or the
    /// scan ends.
    func advance(to offset: Int, passing markerCount: Int) throws(RenderError) {
        precondition(offset >= 0 && offset <= count)
        buffer.update(from: buffer + offset, count: count - offset)
        count -= offset
        seam? -= offset
        passedCount += offset
        markers.removeFirst(markerCount)
        for index in markers.indices { markers[index] -= offset }
        while !endsScan, count < capacity {
            try take()
            if seam == nil, input.position == seamOffset { seam = count }
        }
        (buffer + count).update(repeating: 0, count: Self.slack)
    }

    /// Copies the next bytes of the file into the window, without byte stuffing. Copying stops at the end of the
    /// input's buffer, when the window is full, and at `seamOffset`, the place at which a helper thread begins to read
    /// ahead. Copying also stops at an 0xFF that may begin a marker, and that marker is handled.
    private func take() throws(RenderError) {
        let source = try input.available()
        guard let base = source.baseAddress, source.count > 0 else {
            endsScan = true
            return
        }
        let untilSeam = input.position < seamOffset ? seamOffset - input.position : .max
        let limit = min(source.count, capacity - count, untilSeam)
        let (taken, made) = unstuff(base, limit)
        input.position += taken
        count += made
        if taken < limit || taken == 0 { try takeMarker() }
    }

    /// Copies at most `limit` bytes, and leaves out the zero after each stuffed 0xFF. Copying stops early before an
    /// 0xFF if its next byte is not zero or lies beyond the limit.
    ///
    /// - Returns: the number of bytes that were read (`taken`), and the number that were written (`made`).
    private func unstuff(_ source: UnsafeRawPointer, _ limit: Int) -> (taken: Int, made: Int) {
        let target = UnsafeMutableRawPointer(buffer + count)
        var from = 0
        var to = 0
        // Eight bytes are stored at a time. Those beyond the window's capacity are written to the slack after it.
        while from &+ 8 <= limit {
            let word = source.loadUnaligned(fromByteOffset: from, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: to, as: UInt64.self)
            let marks = word.littleEndian.marksOfFF
            if marks == 0 {
                from &+= 8
                to &+= 8
                continue
            }
            let distance = marks.trailingZeroBitCount &>> 3
            from &+= distance
            to &+= distance
            guard from &+ 1 < limit, source.load(fromByteOffset: from &+ 1, as: UInt8.self) == 0 else {
                return (from, to)
            }
            from &+= 2
            to &+= 1
        }
        while from < limit {
            let byte = source.load(fromByteOffset: from, as: UInt8.self)
            target.storeBytes(of: byte, toByteOffset: to, as: UInt8.self)
            if byte == 0xFF {
                guard from &+ 1 < limit, source.load(fromByteOffset: from &+ 1, as: UInt8.self) == 0 else { break }
                from &+= 1
            }
            from &+= 1
            to &+= 1
        }
        return (from, to)
    }

    /// Records a restart marker and returns true.
    ///
    /// Returns false for any other code, which ends the scan. Also returns false for a restart marker directly after
    /// another one. No encoder writes such an empty segment, and a reader's position would not advance in it.
    private func takeRestart(_ code: UInt8, at place: Int) -> Bool {
        guard code &>> 3 == 0xD0 &>> 3, passedCount + place > segmentStart else { return false }
        markers.append(place)
        segmentStart = passedCount + place
        return true
    }

    /// Handles an 0xFF at which `unstuff` stopped: it is a stuffed data byte, a fill byte, a restart marker, or the end
    /// of the scan.
    private func takeMarker() throws(RenderError) {
        let place = input.position
        guard try input.next() == 0xFF else {
            input.position = place
            return
        }
        var code = try input.next()
        while code == 0xFF { code = try input.next() }
        switch code {
        case nil:
            endsScan = true
        case 0:
            buffer[count] = 0xFF
            count += 1
        case let code? where takeRestart(code, at: count):
            break
        default:
            input.position = place
            endsScan = true
        }
    }
}
