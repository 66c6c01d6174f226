/// Rows by small, dense slot numbers, in pages.
///
/// The storage follows the number of rows: it grows by a page, never by moving all rows, and a page that has lost its last
/// row is given back. A few empty pages stay for the next rows, so that a row that comes and goes allocates nothing.
struct SlotPages<Row: Sendable>: Sendable {
    private struct Page: Sendable {
        /// Empty if the page has been given back.
        var rows: [Row?] = []
        var count = 0
    }

    private static var pageLength: Int { 128 }
    private static var keptPageCount: Int { 16 }

    private var pages: [Page] = []
    private var emptyPageCount = 0
    private(set) var count = 0

    /// One more than the largest slot that a row can have had.
    var slotCount: Int { pages.count * Self.pageLength }

    /// The number of rows that the storage has room for.
    var capacity: Int { pages.reduce(0) { $0 + $1.rows.count } }

    /// The rows in the order of their slots.
    var values: some Sequence<Row> { pages.lazy.flatMap(\.rows).compactMap(\.self) }

    /// The row in a slot, to look at and to change; rows come by `insert` and go by `remove`.
    subscript(slot: Int) -> Row? {
        _read {
            let (page, index) = slot.quotientAndRemainder(dividingBy: Self.pageLength)
            if page < pages.count, !pages[page].rows.isEmpty {
                yield pages[page].rows[index]
            } else {
                yield nil
            }
        }
        _modify {
            let (page, index) = slot.quotientAndRemainder(dividingBy: Self.pageLength)
            yield &pages[page].rows[index]
        }
    }

    /// - Precondition: the slot is free.
    mutating func insert(_ row: Row, at slot: Int) {
        let (page, index) = slot.quotientAndRemainder(dividingBy: Self.pageLength)
        while pages.count <= page { pages.append(Page()) }
        if pages[page].rows.isEmpty {
            pages[page].rows = Array(repeating: nil, count: Self.pageLength)
        } else if pages[page].count == 0 {
            emptyPageCount -= 1
        }
        pages[page].rows[index] = row
        pages[page].count += 1
        count += 1
    }

    /// - Precondition: a row is in the slot.
    mutating func remove(at slot: Int) {
        let (page, index) = slot.quotientAndRemainder(dividingBy: Self.pageLength)
        pages[page].rows[index] = nil
        pages[page].count -= 1
        count -= 1
        guard pages[page].count == 0 else { return }
        if emptyPageCount < Self.keptPageCount {
            emptyPageCount += 1
        } else {
            pages[page].rows = []
        }
    }
}
