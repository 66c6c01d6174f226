/// The boxes of an ISO base media file (ISO/IEC 14496-12) that follow one another in a range.
struct HEIFBoxes {
    struct Box {
        let kind: FourCharacterCode
        let payload: Range<Int>
    }

    private(set) var boxes: [Box] = []

    /// Finds the boxes in `range`, up to the first box that extends beyond the range.
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

extension HeadCursor {
    /// Reads the version and the flags of a full box.
    mutating func versionAndFlags(from reader: inout HeadReader) throws(HeadError) -> (version: Int, flags: Int) {
        let word = try integer(4, from: &reader)
        return (word >> 24, word & 0xFF_FFFF)
    }
}
