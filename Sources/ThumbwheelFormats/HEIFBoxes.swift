/// The boxes of an ISO base media file (ISO/IEC 14496-12) that lie side by side in a range.
struct HEIFBoxes {
    struct Box {
        let kind: FourCharacterCode
        let payload: Range<Int>
    }

    private(set) var boxes: [Box] = []

    /// Walks over the boxes in `range`. One that runs past its end is not kept, nor is what follows.
    init(_ reader: inout HeadReader, in range: Range<Int>) throws(HeadError) {
        var position = range.lowerBound
        while range.upperBound - position >= 8 {
            try reader.enterPart()
            var size = try reader.integer(at: position, width: 4)
            let kind = try reader.code(at: position + 4)
            var headerSize = 8
            if size == 1 {
                guard range.upperBound - position >= 16 else { return }
                size = try reader.integer(at: position + 8, width: 8)
                headerSize = 16
            } else if size == 0 {
                // To the end of what encloses it.
                size = range.upperBound - position
            }
            guard size >= headerSize else { throw .malformed(reason: "a box of \(size) bytes") }
            guard size <= range.upperBound - position else {
                // Pixels that are cut off do not matter to a head; anything else does.
                if kind == "mdat" { return }
                throw .truncated
            }
            boxes.append(Box(kind: kind, payload: position + headerSize..<position + size))
            position += size
        }
    }

    /// The contents of the first box of a kind.
    subscript(kind: FourCharacterCode) -> Range<Int>? {
        boxes.first { $0.kind == kind }?.payload
    }
}

extension HeadCursor {
    /// Takes a full box's version and flags.
    mutating func versionAndFlags(from reader: inout HeadReader) throws(HeadError) -> (version: Int, flags: Int) {
        let word = try integer(4, from: &reader)
        return (word >> 24, word & 0xFF_FFFF)
    }
}
