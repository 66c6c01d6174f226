/// Walks from box to box in a range of the file, without storing a list of the boxes.
struct HEIFBoxWalk {
    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns the next box; nil after the last complete box.
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
            // A size of 0 means that the box reaches to the end of its container.
            size = end - position
        }
        guard size >= headerSize else { throw .malformed(reason: "a box of \(size) bytes") }
        guard size <= end - position else {
            // An `mdat` box that is cut off ends the walk, because the header needs no pixel data. Any other box that
            // is cut off is an error.
            if kind == "mdat" { return nil }
            throw .truncated
        }
        defer { position += size }
        return HEIFBoxes.Box(kind: kind, payload: position + headerSize..<position + size)
    }
}
