/// A block of rows. A row is one asset of the library, and the values of a block's rows are stored in columns, one
/// array for each property. A row number consists of the index of the chunk and the slot, which is the position in the
/// chunk.
///
/// A chunk in a snapshot never changes. A transaction copies the chunks that it changes, and only the changed columns
/// of each chunk.
struct Chunk: Sendable {
    /// The number of rows in a chunk. It is small, so that a hundred edits across a million assets copy little. It is
    /// large enough that a scan loses little time between chunks. It is not 512, because with 512 rows most columns,
    /// including their array headers, would need the allocator's next larger size of memory block, which is a quarter
    /// larger.
    static let rowCount = 504
    /// The number of 64-bit words in a `RowMask`, which has one bit for each row.
    static let wordCount = 8
    static let rowShift: UInt32 = 9
    /// The assumed size, in bytes, of one asset's metadata when a program reads it from the library. `historyByteLimit`
    /// limits the history of changes to this size times the number of assets: reading a larger history would cost a
    /// program more than reading all assets again.
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

/// A set of the rows in one chunk, with one bit for each row.
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
