/// Walks from chunk to chunk in a range of a RIFF file.
struct RIFFWalk {
    struct Chunk {
        /// The chunk's kind; that of a list is the kind of the list.
        let kind: FourCharacterCode
        let isList: Bool
        let payload: Range<Int>
    }

    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns the next chunk, which ends where the range does if it is cut off; nil after the last.
    mutating func next(_ reader: inout HeadReader) throws(HeadError) -> Chunk? {
        guard end - position >= 8 else { return nil }
        let kind = try reader.code(at: position)
        let size = try reader.integer(at: position + 4, width: 4, order: .little)
        let payload = position + 8..<min(end, position + 8 + size)
        // Chunks are padded to even lengths.
        position = min(end, payload.upperBound + size % 2)
        guard kind == "LIST" || kind == "RIFF", payload.count >= 4 else {
            return Chunk(kind: kind, isList: false, payload: payload)
        }
        let listKind = try reader.code(at: payload.lowerBound)
        return Chunk(kind: listKind, isList: true, payload: payload.lowerBound + 4..<payload.upperBound)
    }
}
