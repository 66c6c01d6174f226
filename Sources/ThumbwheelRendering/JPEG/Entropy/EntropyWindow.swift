/// A stretch of a scan's entropy-coded data without its byte stuffing, in segments that restart markers part.
///
/// The bytes of a segment stand without gaps, so that a decoder reads 64 bits at a time and finds markers by place alone.
/// Behind the last byte there is room that can be read, for decoders that notice only after a unit that they ran over.
final class EntropyWindow {
    static let usualCapacity = 48 << 10
    /// Bytes that can be read behind the end: more than two units can take, 10 blocks of 64 codes with 31 bits each, and what
    /// is looked through for a place where two readers meet.
    static let slack = 8192

    private let input: JPEGInput
    private let capacity: Int
    private let buffer: UnsafeMutablePointer<UInt8>
    /// Bytes in the window.
    private(set) var count = 0
    /// Where restart markers stood, in rising order.
    private(set) var markers: [Int] = []
    /// Whether the window's end is that of the scan: a marker or the end of the file comes next.
    private(set) var endsScan = false
    /// A place in the file, behind what has been read: neither it nor the byte before may be 0xFF.
    var seamOffset = Int.max
    /// Where that place is in the window, as soon as it has been read.
    private(set) var seam: Int?
    // Bytes of the scan that have left the window.
    private var passedCount = 0
    // Where the segment that is being read begins, in the whole scan.
    private var segmentStart = 0

    /// - Parameters:
    ///   - input: its next byte is the scan's first.
    ///   - capacity: bytes that it holds at once.
    init(_ input: JPEGInput, capacity: Int = usualCapacity) {
        self.input = input
        self.capacity = capacity
        buffer = .allocate(capacity: capacity + Self.slack)
        buffer.initialize(repeating: 0, count: capacity + Self.slack)
    }

    deinit {
        buffer.deallocate()
    }

    /// Valid until the window is destroyed; contents move with `advance`.
    var bytes: UnsafePointer<UInt8> { UnsafePointer(buffer) }

    /// Drops the bytes before `offset`, and the first markers, and reads on until the window is full or the scan at its end.
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

    /// Takes over bytes up to the next 0xFF that stands for something else than itself, or as many as there are.
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

    /// Copies bytes and removes the zero from each stuffed pair; stops at any other 0xFF, and at one whose partner is not
    /// among the `limit` bytes.
    private func unstuff(_ source: UnsafeRawPointer, _ limit: Int) -> (taken: Int, made: Int) {
        let target = UnsafeMutableRawPointer(buffer + count)
        var from = 0
        var to = 0
        // Eight bytes are stored at a time; the slack takes those past the end.
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

    /// Notes a restart marker that stands behind at least one byte of data: segments without any would be read for ever, and
    /// no encoder writes them.
    private func takeRestart(_ code: UInt8, at place: Int) -> Bool {
        guard code &>> 3 == 0xD0 &>> 3, passedCount + place > segmentStart else { return false }
        markers.append(place)
        segmentStart = passedCount + place
        return true
    }

    /// Deals with a 0xFF that `unstuff` stopped at: stuffed after all, fill, a restart, or the end of the scan.
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
