/// So many rows of a library in plain columns, never changed once a snapshot holds them: a transaction copies the chunks
/// that it touches, and of these only the columns.
struct Chunk: Sendable {
    /// Rows in a chunk: small enough that a hundred edits all over a million assets copy little, large enough that a scan
    /// hardly notices where one chunk ends. With 512, the heads of their arrays would push most columns into allocators'
    /// next size, a quarter larger.
    static let rowCount = 504
    /// Of a mask, 64 rows to each.
    static let wordCount = 8
    static let rowShift: UInt32 = 9
    /// About how many bytes an asset takes that a client makes of a row.
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
