/// A column with one short text for each row of a chunk, stored as a single sequence of bytes. If no row has a text,
/// the column takes no memory.
struct TextColumn: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The position in `bytes` at which the text of each row ends. Rows after the last entry have no text.
    private(set) var ends: [UInt32] = []

    init() {}

    /// Makes a column from its stored parts; nil if `bytes` and `ends` contradict each other.
    init?(bytes: [UInt8], ends: [UInt32]) {
        guard ends.count <= Chunk.rowCount, Int(ends.last ?? 0) == bytes.count,
            zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.bytes = bytes
        self.ends = ends
    }

    var isEmpty: Bool { bytes.isEmpty }

    @inline(__always)
    func range(at slot: Int) -> Range<Int> {
        guard slot < ends.count else { return 0..<0 }
        return (slot == 0 ? 0 : Int(ends[slot - 1]))..<Int(ends[slot])
    }

    func text(at slot: Int) -> String { String(decoding: bytes[range(at: slot)], as: UTF8.self) }

    func isEmpty(at slot: Int) -> Bool { range(at: slot).isEmpty }

    /// Sets the text of a row. For a row after the last one with a text, this takes constant time. For an earlier row,
    /// the time is linear in the number of bytes in the column.
    mutating func set(_ text: String, at slot: Int) {
        if slot >= ends.count {
            if text.isEmpty { return }
            while ends.count < slot { ends.append(UInt32(bytes.count)) }
            bytes.append(contentsOf: text.utf8)
            ends.append(UInt32(bytes.count))
            return
        }
        let old = range(at: slot)
        guard !bytes[old].elementsEqual(text.utf8) else { return }
        let count = text.utf8.count
        bytes.replaceSubrange(old, with: text.utf8)
        for later in slot..<ends.count { ends[later] = UInt32(Int(ends[later]) - old.count + count) }
    }
}
