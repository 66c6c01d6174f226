import ThumbwheelCore

/// Reads integers and short runs of bytes anywhere in a source. It buffers one section of the source, the window.
///
/// The work for one file is bounded. The reader counts the bytes read, the parts (such as boxes) entered and the steps
/// of work, and fails with `.limitExceeded` beyond a limit. Skipped bytes are not read and do not count; bytes in the
/// window count only as steps. Offsets in files are never trusted: a read outside the source fails with `.truncated`.
struct HeadReader {
    /// The greatest number of bytes that are read from one file.
    static let byteLimit = 1 << 20
    /// The greatest amount of work for one file, in steps. A step is the reading of one integer, or other work of the
    /// same duration, about twenty nanoseconds.
    static let stepLimit = 1 << 18
    /// The steps that count for storing a fact in a dictionary or a set.
    static let stepsPerKeeping = 4
    /// The steps that count for filling the window, in addition to the steps for its bytes.
    private static let stepsPerWindow = 16
    /// The number of bytes that are copied or searched in one step.
    private static let bytesPerStep = 32
    /// The greatest number of segments, chunks or boxes that are followed.
    static let partLimit = 4096
    /// The greatest number of bytes that `bytes(in:)` returns at once.
    static let runLimit = 8192

    // The sizes of the window in bytes. The first window contains most headers, including the EXIF block. After a jump
    // over a long segment, often only a few bytes are needed, so the window is small; if reading then continues in
    // sequence, the windows grow.
    private static let firstWindow = 16 << 10
    private static let jumpWindow = 1 << 10
    private static let largestWindow = 32 << 10

    /// The source's length; capped so that adding a 32-bit offset to any position cannot overflow.
    let byteCount: Int
    /// The greatest number of boxes after the movie box that are examined in search of the last fragment of a movie.
    var fragmentLimit = 256
    private let source: any ByteSource
    private var window: [UInt8] = []
    private var windowStart = 0
    private var bytesLeft = HeadReader.byteLimit
    private var partsLeft = HeadReader.partLimit
    private var stepsLeft = HeadReader.stepLimit

    init(_ source: any ByteSource) {
        self.source = source
        byteCount = min(max(source.byteCount, 0), 1 << 60)
    }

    /// The range of the whole source, from which subranges can be taken.
    var extent: Range<Int> { 0..<byteCount }

    /// The number of bytes read from the source so far.
    var bytesRead: Int { Self.byteLimit - bytesLeft }

    /// The steps of work done so far.
    var stepsSpent: Int { Self.stepLimit - stepsLeft }

    /// Counts steps of work against the limit. The reading methods call this method themselves; a loop that continues
    /// without reading must call it.
    mutating func spend(_ steps: Int) throws(HeadError) {
        guard steps <= stepsLeft else {
            stepsLeft = 0
            throw .limitExceeded(reason: "a head of more than \(Self.stepLimit) steps")
        }
        stepsLeft -= steps
    }

    /// Counts one segment, chunk or box against the limit.
    mutating func enterPart() throws(HeadError) {
        guard partsLeft > 0 else { throw .limitExceeded(reason: "more than \(Self.partLimit) parts") }
        partsLeft -= 1
    }

    /// Fills the window with the beginning of a range, unless it is there already. Many short reads in the range are
    /// then fast.
    mutating func prepare(_ range: Range<Int>) throws(HeadError) {
        let wanted = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.firstWindow, byteCount)
        if !wanted.isEmpty { _ = try load(wanted.count, at: wanted.lowerBound) }
    }

    mutating func byte(at offset: Int) throws(HeadError) -> UInt8 {
        window[try load(1, at: offset)]
    }

    /// Returns the unsigned integer of `width` bytes, 1 to 8, at `offset`. A number that does not fit becomes
    /// `Int.max`, which every later check rejects as a place in a file.
    mutating func integer(at offset: Int, width: Int, order: ByteOrder = .big) throws(HeadError) -> Int {
        let start = try load(width, at: offset)
        var value: UInt64 = 0
        for index in 0..<width {
            value = value << 8 | UInt64(window[order == .big ? start + index : start + width - 1 - index])
        }
        return Int(clamping: value)
    }

    /// Returns the four characters at `offset`.
    mutating func code(at offset: Int) throws(HeadError) -> FourCharacterCode {
        FourCharacterCode(rawValue: UInt32(clamping: try integer(at: offset, width: 4)))
    }

    /// Returns the bytes of `range`, which may have up to `runLimit` bytes.
    mutating func bytes(in range: Range<Int>) throws(HeadError) -> [UInt8] {
        guard range.count <= Self.runLimit else { throw .limitExceeded(reason: "a run of \(range.count) bytes") }
        guard !range.isEmpty else { return [] }
        try spend(4 + range.count / Self.bytesPerStep)
        let start = try load(range.count, at: range.lowerBound)
        return [UInt8](window[start..<start + range.count])
    }

    /// Whether the bytes at `offset` are those of `text`; false if the source ends first.
    mutating func matches(_ text: StaticString, at offset: Int) throws(HeadError) -> Bool {
        let expected = text.withUTF8Buffer { [UInt8]($0) }
        guard offset >= 0, expected.count <= byteCount - offset else { return false }
        return try bytes(in: offset..<offset + expected.count) == expected
    }

    /// Returns the first position in `range` whose byte equals `byte` or, if `isWanted` is false, differs from it; nil
    /// if there is none.
    mutating func firstPlace(
        of byte: UInt8, isWanted: Bool = true, in range: Range<Int>
    ) throws(HeadError) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            let start = try load(1, at: position)
            let end = min(window.count, start + range.upperBound - position)
            let found = window[start..<end].firstIndex { ($0 == byte) == isWanted }
            try spend(((found ?? end) - start) / Self.bytesPerStep)
            if let found { return windowStart + found }
            position = windowStart + end
        }
        return nil
    }

    /// Makes sure that `count` bytes at `offset` are in the window, and returns their position in it.
    private mutating func load(_ count: Int, at offset: Int) throws(HeadError) -> Int {
        try spend(1)
        guard offset >= 0, offset <= byteCount, count <= byteCount - offset else { throw .truncated }
        let windowEnd = windowStart + window.count
        if offset >= windowStart, offset + count <= windowEnd { return offset - windowStart }

        let size: Int
        if window.isEmpty {
            size = Self.firstWindow
        } else if offset >= windowStart, offset <= windowEnd {
            size = min(2 * max(window.count, Self.jumpWindow), Self.largestWindow)
        } else {
            size = Self.jumpWindow
        }
        let wanted = min(max(size, count), byteCount - offset)
        try spend(Self.stepsPerWindow + wanted / Self.bytesPerStep)
        guard wanted <= bytesLeft else { throw .limitExceeded(reason: "a head of more than \(Self.byteLimit) bytes") }
        do throws(ByteSourceError) {
            window = try source.bytes(in: offset..<offset + wanted)
        } catch {
            throw .source(error)
        }
        windowStart = offset
        bytesLeft -= wanted
        // A file that was cut short since it was opened gives fewer bytes than its length promised.
        guard window.count >= count else { throw .truncated }
        return 0
    }
}

extension Range<Int> {
    /// Returns the subrange of `count` places that begins `offset` places into this range; fails unless it lies in the
    /// range.
    func subrange(at offset: Int, count: Int) throws(HeadError) -> Range<Int> {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { throw .truncated }
        return lowerBound + offset..<lowerBound + offset + count
    }

    /// Returns the rest of this range from `offset` places into it.
    func suffix(at offset: Int) throws(HeadError) -> Range<Int> {
        guard offset >= 0, offset <= count else { throw .truncated }
        return lowerBound + offset..<upperBound
    }
}
