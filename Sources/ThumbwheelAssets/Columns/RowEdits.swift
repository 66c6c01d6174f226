/// A short list of the rows of a chunk that were edited recently. An entry has the modification date of the row and the
/// number of the transaction that last edited the row. These values override those in the columns of the chunk.
///
/// Every edit changes these two values. Thanks to the list, an edit copies less than a kilobyte instead of two columns.
/// When the list is full, its entries are written to the columns, which all later versions of the chunk then share.
/// This is a log-structured merge (P. O'Neil et al., 1996) with one level.
struct RowEdits: Sendable {
    struct Edit: Sendable {
        let slot: Int32
        var changeNumber: UInt64
        var modification: Double
    }

    static let capacity = 32

    /// The edits in no particular order, with at most one for each row.
    private(set) var edits: [Edit] = []

    @inline(__always)
    subscript(slot: Int) -> Edit? {
        for edit in edits where Int(edit.slot) == slot { return edit }
        return nil
    }

    /// Adds an edit, or replaces the earlier edit of the same row.
    ///
    /// - Returns: false if the list is full and has no entry for the row. In this case, nothing has changed.
    mutating func set(_ edit: Edit) -> Bool {
        if let index = edits.firstIndex(where: { $0.slot == edit.slot }) {
            edits[index] = edit
            return true
        }
        if edits.count == Self.capacity { return false }
        edits.append(edit)
        return true
    }
}

extension ChunkColumns {
    /// Returns the number of the transaction that last changed the row.
    func changeNumber(at slot: Int) -> UInt64 { edits[slot]?.changeNumber ?? settled.changeNumber[slot] }

    func modification(at slot: Int) -> Double { edits[slot]?.modification ?? settled.modification[slot] }

    /// The number of the transaction that last changed each row. Reading this property copies the column if `edits` has
    /// entries.
    var changeNumber: [UInt64] {
        var numbers = settled.changeNumber
        for edit in edits.edits { numbers[Int(edit.slot)] = edit.changeNumber }
        return numbers
    }

    /// The modification date of each row. Reading this property copies the column if `edits` has entries.
    var modification: [Double] {
        var dates = settled.modification
        for edit in edits.edits { dates[Int(edit.slot)] = edit.modification }
        return dates
    }

    /// Records that the transaction with this number has changed a row. `modification` is the row's new modification
    /// date; nil keeps the old date.
    func setChange(_ number: UInt64, modification: Double? = nil, at slot: Int) {
        if !ownsSettled {
            let date = modification ?? self.modification(at: slot)
            if edits.set(RowEdits.Edit(slot: Int32(slot), changeNumber: number, modification: date)) { return }
        }
        let settled = ownSettledColumns()
        settled.changeNumber[slot] = number
        if let modification { settled.modification[slot] = modification }
    }

    /// Returns the slots of the rows that were changed after the transaction with this number, in ascending order.
    /// `older` is the version of this chunk at the end of that transaction; nil if the chunk did not exist yet.
    func slotsChanged(after number: UInt64, since older: ChunkColumns?) -> [Int] {
        // If `older` and this version of the chunk share one object `settled`, the list `edits` contains every change
        // since `older`. An entry leaves `edits` only when `settled` is replaced by a copy, and `settled` was not
        // replaced between the two versions.
        if let older, older.settled === settled {
            return edits.edits.filter { $0.changeNumber > number }.map { Int($0.slot) }.sorted()
        }
        let numbers = changeNumber
        return (0..<count).filter { numbers[$0] > number }
    }
}
