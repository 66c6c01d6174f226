/// A table of rows that are found by small, dense slot numbers and stored in pages.
///
/// The storage grows and shrinks with the number of rows, by one page at a time, and never moves all rows. When a page
/// loses its last row, its storage is freed. A few empty pages are kept for new rows, so that adding and removing a row
/// usually allocates nothing.
struct SlotPages<Row: SlotRow>: Sendable {
    private struct Page: Sendable {
        /// The rows of the page; empty if the storage of the page has been freed.
        var rows: [Row] = []
        var count = 0
    }

    /// The number of rows of a page. The array of a page takes at most 8 KiB, including its header of 32 bytes. The
    /// allocators jemalloc and glibc waste no memory on allocations of 8 KiB.
    @inline(__always) private static var pageLength: Int { (8192 - 32) / MemoryLayout<Row>.stride }
    /// The largest number of pages without rows whose storage is kept for new rows.
    private static var emptyPageLimit: Int { 16 }

    private var pages: [Page] = []
    private var emptyPageCount = 0
    private(set) var count = 0

    /// The number of slots in all pages, with or without a row. All slot numbers are below this number.
    var slotCount: Int { pages.count * Self.pageLength }

    /// The number of rows that the storage has room for.
    var capacity: Int { pages.reduce(0) { $0 + $1.rows.count } }

    /// The rows in the order of their slots.
    var values: some Sequence<Row> { pages.lazy.flatMap(\.rows).filter { !$0.isVacant } }

    /// Whether a row is in a slot.
    func contains(_ slot: Int) -> Bool {
        let (page, index) = slot.quotientAndRemainder(dividingBy: Self.pageLength)
        return page < pages.count && !pages[page].rows.isEmpty && !pages[page].rows[index].isVacant
    }

    /// The row in a slot, to read or to change. Rows are added by `insert` and removed by `remove`.
    ///
    /// The accessors `_read` and `_modify` are coroutines. They are inlined, because a coroutine that is not inlined
    /// allocates its frame on the heap at each access.
    ///
    /// - Precondition: a row is in the slot.
    subscript(slot: Int) -> Row {
        @inline(__always) _read { yield pages[slot / Self.pageLength].rows[slot % Self.pageLength] }
        @inline(__always) _modify { yield &pages[slot / Self.pageLength].rows[slot % Self.pageLength] }
    }

    /// - Precondition: the slot is free.
    mutating func insert(_ row: Row, at slot: Int) {
        let (page, index) = slot.quotientAndRemainder(dividingBy: Self.pageLength)
        while pages.count <= page { pages.append(Page()) }
        if pages[page].rows.isEmpty {
            pages[page].rows = Array(repeating: .vacant, count: Self.pageLength)
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
        pages[page].rows[index] = .vacant
        pages[page].count -= 1
        count -= 1
        guard pages[page].count == 0 else { return }
        if emptyPageCount < Self.emptyPageLimit {
            emptyPageCount += 1
        } else {
            pages[page].rows = []
        }
    }
}
