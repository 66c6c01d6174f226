/// Rows of the index whose values have been read for the first time since they were written, by segment.
struct UsedRows: Sendable {
    private(set) var count = 0
    private var rows: [Int64: Set<Int64>] = [:]

    /// Notes a row.
    ///
    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ row: Int64, ofSegment number: Int64) -> Bool {
        guard rows[number, default: []].insert(row).inserted else { return false }
        count += 1
        return true
    }

    mutating func add(_ other: UsedRows) {
        for (number, rows) in other.rows {
            for row in rows { insert(row, ofSegment: number) }
        }
    }

    func rows(ofSegment number: Int64) -> Set<Int64> { rows[number] ?? [] }

    /// Forgets the rows of a segment, because its values are gone or have been written again.
    mutating func remove(segment number: Int64) { count -= rows.removeValue(forKey: number)?.count ?? 0 }

    /// All rows, in the order of the index: neighbours share a page there.
    var sorted: [Int64] { rows.values.flatMap { $0 }.sorted() }
}
