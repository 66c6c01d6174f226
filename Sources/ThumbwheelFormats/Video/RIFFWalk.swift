/// Walks from chunk to chunk in a range of a RIFF file.
struct RIFFWalk {
    struct Chunk {
        /// The type of the chunk; for a list, the type of the list.
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

    /// Returns the next chunk; nil after the last. A chunk that is cut off ends at the end of the range.
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
