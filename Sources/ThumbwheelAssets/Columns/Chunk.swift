/// A block of a library's rows, stored in columns. A row number consists of the index of the row's chunk and the row's
/// slot, which is its place in that chunk.
///
/// A chunk never changes once a snapshot holds it. A transaction copies the chunks that it changes, and of their
/// columns only those that it changes.
struct Chunk: Sendable {
    /// The number of rows in a chunk. It is so small that little is copied for a hundred edits spread over a million
    /// assets. It is so large that scans lose little time between chunks. With 512 rows, most columns with their array
    /// headers would fall into the allocator's next size class, a quarter larger.
    static let rowCount = 504
    /// The number of 64-bit words in a `RowMask`, which has one bit for each row.
    static let wordCount = 8
    static let rowShift: UInt32 = 9
    /// The assumed number of bytes that a client reads for each asset. The size limit of the change history is derived
    /// from it.
    static let assetByteCount = 1024

    let columns: ChunkColumns

    init(_ columns: ChunkColumns) {
        self.columns = columns
    }

    @inline(__always)
    static func index(of row: UInt32) -> Int { Int(row >> rowShift) }

    @inline(__always)
    static func slot(of row: UInt32) -> Int { Int(row & (1 << rowShift - 1)) }

    @inline(__always)
    static func row(_ chunk: Int, _ slot: Int) -> UInt32 { UInt32(truncatingIfNeeded: chunk << 9 | slot) }
}

/// A set of rows of one chunk, with one bit for each row.
typealias RowMask = SIMD8<UInt64>

extension RowMask {
    static let none = RowMask(repeating: 0)
    static let all = RowMask(repeating: .max)

    @inline(__always)
    var isEmpty: Bool { self == .none }

    @inline(__always)
    func contains(_ slot: Int) -> Bool { self[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }

    mutating func insert(_ slot: Int) { self[slot >> 6] |= 1 << UInt64(slot & 63) }

    var count: Int {
        var count = 0
        for word in 0..<Chunk.wordCount { count += self[word].nonzeroBitCount }
        return count
    }

    @inline(__always)
    func forEachSlot(_ body: (Int) -> Void) {
        for word in 0..<Chunk.wordCount {
            var bits = self[word]
            while bits != 0 {
                body(word << 6 | bits.trailingZeroBitCount)
                bits &= bits &- 1
            }
        }
    }
}
