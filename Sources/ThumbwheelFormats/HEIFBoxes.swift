/// The boxes of an ISO base media file (ISO/IEC 14496-12) that lie side by side in a range.
struct HEIFBoxes {
    struct Box {
        let kind: FourCharacterCode
        let payload: Range<Int>
    }

    private(set) var boxes: [Box] = []

    /// Finds the boxes in `range`, up to the first that runs past its end.
    init(_ reader: inout HeadReader, in range: Range<Int>) throws(HeadError) {
        var walk = HEIFBoxWalk(range)
        while let box = try walk.next(&reader) {
            try reader.enterPart()
            boxes.append(box)
        }
    }

    /// The contents of the first box of a kind.
    subscript(kind: FourCharacterCode) -> Range<Int>? {
        boxes.first { $0.kind == kind }?.payload
    }
}

/// Walks from box to box in a range, for lists that are too long to be kept.
struct HEIFBoxWalk {
    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next box; nil after the last whole one.
    mutating func next(_ reader: inout HeadReader) throws(HeadError) -> HEIFBoxes.Box? {
        guard end - position >= 8 else { return nil }
        var size = try reader.integer(at: position, width: 4)
        let kind = try reader.code(at: position + 4)
        var headerSize = 8
        if size == 1 {
            guard end - position >= 16 else { return nil }
            size = try reader.integer(at: position + 8, width: 8)
            headerSize = 16
        } else if size == 0 {
            // The box reaches to the end of its container.
            size = end - position
        }
        guard size >= headerSize else { throw .malformed(reason: "a box of \(size) bytes") }
        guard size <= end - position else {
            // A head does not need pixels that are cut off; any other box that is cut off is an error.
            if kind == "mdat" { return nil }
            throw .truncated
        }
        defer { position += size }
        return HEIFBoxes.Box(kind: kind, payload: position + headerSize..<position + size)
    }
}

extension HeadCursor {
    /// Takes a full box's version and flags.
    mutating func versionAndFlags(from reader: inout HeadReader) throws(HeadError) -> (version: Int, flags: Int) {
        let word = try integer(4, from: &reader)
        return (word >> 24, word & 0xFF_FFFF)
    }
}
