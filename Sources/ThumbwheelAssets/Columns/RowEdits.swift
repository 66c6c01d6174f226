/// A short list of a chunk's recently edited rows. An entry holds the modification date and the transaction number of
/// the row's last edit. It overrides the row's values in the chunk's columns.
///
/// Every edit changes both values. Copying this list of some hundred bytes at each edit replaces copying two columns.
/// When the list is full, its entries are written into the columns, which all later versions of the chunk share. This
/// is a log-structured merge (P. O'Neil et al., 1996) of one level.
struct RowEdits: Sendable {
    struct Edit: Sendable {
        let slot: Int32
        var changeNumber: UInt64
        var modification: Double
    }

    static let capacity = 32

    /// The edits in no particular order, at most one for each row.
    private(set) var edits: [Edit] = []

    @inline(__always)
    subscript(slot: Int) -> Edit? {
        for edit in edits where Int(edit.slot) == slot { return edit }
        return nil
    }

    /// Adds an edit, or replaces the earlier edit of the same row.
    ///
    /// - Returns: false if the list is full and has no entry for the row; nothing has changed then.
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
    /// The number of the transaction that last changed the row.
    func changeNumber(at slot: Int) -> UInt64 { edits[slot]?.changeNumber ?? settled.changeNumber[slot] }

    func modification(at slot: Int) -> Double { edits[slot]?.modification ?? settled.modification[slot] }

    /// For each row, the number of the transaction that last changed it. The column is copied if `edits` has entries.
    var changeNumber: [UInt64] {
        var numbers = settled.changeNumber
        for edit in edits.edits { numbers[Int(edit.slot)] = edit.changeNumber }
        return numbers
    }

    /// The modification dates of all rows. The column is copied if `edits` has entries.
    var modification: [Double] {
        var dates = settled.modification
        for edit in edits.edits { dates[Int(edit.slot)] = edit.modification }
        return dates
    }

    /// Records that the transaction with this number changed a row. `modification` is the row's new modification date;
    /// nil keeps the old one.
    func setChange(_ number: UInt64, modification: Double? = nil, at slot: Int) {
        if !ownsSettled {
            let date = modification ?? self.modification(at: slot)
            if edits.set(RowEdits.Edit(slot: Int32(slot), changeNumber: number, modification: date)) { return }
        }
        let settled = ownSettledColumns()
        settled.changeNumber[slot] = number
        if let modification { settled.modification[slot] = modification }
    }

    /// The slots of the rows that were changed by transactions after `number`, in ascending order. `older` is this
    /// chunk as it was after transaction `number`; nil if the chunk did not exist then.
    func slotsChanged(after number: UInt64, since older: ChunkColumns?) -> [Int] {
        // If both versions of the chunk share the settled columns, no entry of the list of edits has been written into
        // them since. So the list still has every later change.
        if let older, older.settled === settled {
            return edits.edits.filter { $0.changeNumber > number }.map { Int($0.slot) }.sorted()
        }
        let numbers = changeNumber
        return (0..<count).filter { numbers[$0] > number }
    }
}
