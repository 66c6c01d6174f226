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
        for (row, entry) in try index.allEntries() where try !isSound(entry, ofRow: row) {
            damaged.append((row, entry.place))
        }
        let count = try remove(damaged, from: index)
        var contents = try contents()
        contents.damagedCount = count
        return contents
    }

    /// - Throws: `StoreError` if the file of the value cannot be opened or read at the moment. The value is not lost
    ///   then.
    private func isSound(_ entry: StoreIndex.Entry, ofRow row: Int64) throws(StoreError) -> Bool {
        guard let file = try segments.file(entry.segment), let record = try file.record(at: entry.offset) else {
            return false
        }
        guard record.key.row == row, record.length == entry.length else { return false }
        return try file.value(of: record, at: entry.offset) != nil
    }

    /// Removes damaged values.
    ///
    /// - Returns: the number of those that are still in the index. The others were removed by another process after
    ///   this one had read the index, with their files.
    func remove(_ damaged: [(row: Int64, place: Int64)], from index: StoreIndex) throws(StoreError) -> Int {
        guard !damaged.isEmpty else { return 0 }
        return try index.transaction { () throws(StoreError) in
            var count = 0
            for damage in damaged where try index.remove(row: damage.row, place: damage.place) { count += 1 }
            return count
        }
    }

    /// Compacts the store: copies the remaining values of each segment that has lost more than a tenth of its bytes to
    /// the newest segment, and deletes the old file. Then gives the free pages of the index back to the file system.
    @available(*, noasync, message: "it waits for the disk")
    public func compact() throws(StoreError) -> StoreContents {
        let index = try openIndex()
        let writer = StoreWriter(index, segments, byteLimit: configuration.byteLimit)
        for segment in try index.segments() { try writer.compactIfNeeded(segment.number) }
        try index.compact()
        return try contents()
    }

    /// Removes all values.
    @available(*, noasync, message: "it waits for the disk")
    public func removeAll() throws(StoreError) {
        let index = try openIndex()
        let numbers = try removeEntries(from: index)
        for number in numbers { segments.delete(number) }
        try index.compact()
    }

    /// Removes all values and segments from the index.
    ///
    /// - Returns: the numbers of the files that are to be deleted. They are listed inside the transaction, in which no
    ///   other process begins a segment. A later list could have files to which another process already writes again.
    func removeEntries(from index: StoreIndex) throws(StoreError) -> [Int64] {
        try index.transaction { () throws(StoreError) in
            try index.removeAll()
            return segments.numbers
        }
    }
}
