// MARK: Looking after a store

extension DiskStore {
    /// Counts the store's values and bytes. Takes time in proportion to the number of values.
    @available(*, noasync, message: "it waits for the disk")
    public func contents() throws(StoreError) -> StoreContents {
        let index = try openIndex()
        let totals = try index.totals()
        var contents = StoreContents()
        contents.entryCount = totals.entryCount
        contents.valueByteCount = totals.valueByteCount
        contents.negativeCount = totals.negativeCount
        contents.byteCount = try index.segments().reduce(try index.byteCount()) { $0 + $1.byteCount }
        return contents
    }

    /// Reads every value, and removes the damaged ones.
    @available(*, noasync, message: "it waits for the disk")
    public func verify() throws(StoreError) -> StoreContents {
        let index = try openIndex()
        var damaged: [(row: Int64, place: Int64)] = []
        for entry in try index.allEntries() {
            let file = try segments.file(entry.entry.segment)
            let record = try? file?.record(at: entry.entry.offset)
            let isSound =
                record?.key.row == entry.row && record?.length == entry.entry.length
                && (try? file?.value(of: record!, at: entry.entry.offset)) != nil
            if !isSound { damaged.append((entry.row, entry.entry.place)) }
        }
        if !damaged.isEmpty {
            try index.transaction { () throws(StoreError) in
                for damage in damaged { try index.remove(row: damage.row, place: damage.place) }
            }
        }
        var contents = try contents()
        contents.damagedCount = damaged.count
        return contents
    }

    /// Compacts the store: copies the remaining values of each segment that has lost more than a tenth of its bytes to
    /// the newest segment, and deletes the old file. Then gives the free pages of the index back to the file system.
    @available(*, noasync, message: "it waits for the disk")
    public func compact() throws(StoreError) -> StoreContents {
        let index = try openIndex()
        let writer = StoreWriter(index, segments, byteLimit: configuration.byteLimit)
        for segment in try index.segments() { try writer.compactIfNeeded(segment) }
        try index.compact()
        return try contents()
    }

    /// Removes all values.
    @available(*, noasync, message: "it waits for the disk")
    public func removeAll() throws(StoreError) {
        let index = try openIndex()
        let numbers = try index.segments().map(\.number)
        try index.transaction { () throws(StoreError) in try index.removeAll() }
        for number in Set(numbers + segments.numbers) { segments.delete(number) }
        try index.compact()
    }
}
