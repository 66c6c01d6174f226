/// A block of a library's rows, stored in columns. It never changes once a snapshot holds it: a transaction copies the
/// chunks that it changes, and in these only the changed columns.
struct Chunk: Sendable {
    /// The number of rows in a chunk. It is small enough that a hundred edits spread over a million assets copy little,
    /// and large enough that scans lose little time between chunks. With 512 rows, the array headers would push most
    /// columns into the allocator's next size, a quarter larger.
    static let rowCount = 504
    /// The number of words in a mask; each word covers 64 rows.
    static let wordCount = 8
    static let rowShift: UInt32 = 9
    /// The approximate number of bytes that a client needs to hold the asset of a row.
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

/// One bit for each row of a chunk.
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
