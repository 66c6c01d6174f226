/// A position that moves forward through a range of the source as integers are read from it.
struct HeadCursor {
    private(set) var position: Int
    let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    var rest: Range<Int> { position..<end }

    /// Reads a big-endian integer of `width` bytes; an integer of no bytes is 0.
    mutating func integer(_ width: Int, from reader: inout HeadReader) throws(HeadError) -> Int {
        guard width > 0 else { return 0 }
        let start = position
        try skip(width)
        return try reader.integer(at: start, width: width)
    }

    mutating func skip(_ count: Int) throws(HeadError) {
        guard count >= 0, count <= end - position else { throw .truncated }
        position += count
    }
}
