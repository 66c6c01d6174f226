/// Rows of the index's tables as they are in its file, where bits may have flipped.
extension StoreIndex {
    /// All entries with their rows in the table, in the order of their values on the disk.
    func allEntries() throws(StoreError) -> [(row: Int64, entry: Entry)] {
        try entries("SELECT id, place, length, state FROM entries ORDER BY place")
    }

    /// The entries of a segment from an offset on, with their rows in the table, in the order of their values on the
    /// disk. The table has no order by places, so all of it is read.
    func entries(
        ofSegment number: Int64, from offset: Int
    ) throws(StoreError) -> [(row: Int64, entry: Entry)] {
        try entries(
            "SELECT id, place, length, state FROM entries WHERE place>=? AND place<? ORDER BY place",
            number << 32 | Int64(offset), (number + 1) << 32)
    }

    private func entries(
        _ statement: String, _ parameters: Int64...
    ) throws(StoreError) -> [(row: Int64, entry: Entry)] {
        let statement = try database.prepare(statement)
        try statement.start(parameters)
        var entries: [(row: Int64, entry: Entry)] = []
        while try statement.next() {
            entries.append((statement[0], Entry(place: statement[1], length: statement[2], state: statement[3])))
        }
        return entries
    }
}

extension StoreIndex.Segment {
    /// Numbers and offsets share the 64 bits of a place.
    private static let (numberLimit, byteLimit): (Int64, Int64) = (1 << 31, 1 << 32)

    /// A row of the table of segments.
    ///
    /// - Throws: `StoreError.damagedIndex` if no store writes such a row. Its bytes could not be added up, or its file
    ///   not be written.
    init(_ number: Int64, byteCount: Int64) throws(StoreError) {
        guard number > 0, number < Self.numberLimit, byteCount >= 0, byteCount < Self.byteLimit else {
            throw .damagedIndex(code: 0)
        }
        self.init(number: number, byteCount: Int(byteCount))
    }
}

extension StoreIndex.Entry {
    /// The entry of a value that is written to a file at an offset.
    init(_ value: StoredValue, in file: SegmentFile, at offset: Int) {
        self.init(
            segment: file.number, offset: offset, length: value.bytes.count, isUsed: false,
            isNegative: value.isNegative, cost: value.cost)
    }

    /// - Parameters:
    ///   - place: the segment's number in the upper 32 bits, the offset in the lower 32.
    ///   - state: bit 0 is set if the value has been read, bit 1 if it is negative; the other bits are the cost.
    init(place: Int64, length: Int64, state: Int64) {
        segment = place >> 32
        offset = Int(place & 0xFFFF_FFFF)
        self.length = Int(length)
        isUsed = state & 1 != 0
        isNegative = state & 2 != 0
        cost = UInt32(truncatingIfNeeded: state >> 2)
    }

    var place: Int64 { segment << 32 | Int64(offset) }
    var state: Int64 { Int64(cost) << 2 | (isNegative ? 2 : 0) | (isUsed ? 1 : 0) }
}
