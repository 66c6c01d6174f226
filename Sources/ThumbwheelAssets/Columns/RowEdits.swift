/// A short list of recently edited rows with the date and the transaction of each row's last edit. Its entries override
/// the chunk's columns, which hold both values for all rows.
///
/// Every edit changes both values, so copying this list of some hundred bytes replaces copying two columns. When the list
/// is full, its entries are written into the columns, which all later versions of the chunk share: a log-structured merge
/// (P. O'Neil et al., 1996) of one level.
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

    /// - Returns: false if the list is full.
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

    /// The change numbers of all rows; a copy of the column if some rows were edited.
    var changeNumber: [UInt64] {
        var numbers = settled.changeNumber
        for edit in edits.edits { numbers[Int(edit.slot)] = edit.changeNumber }
        return numbers
    }

    /// The modification dates of all rows; a copy of the column if some rows were edited.
    var modification: [Double] {
        var dates = settled.modification
        for edit in edits.edits { dates[Int(edit.slot)] = edit.modification }
        return dates
    }

    /// Records that a transaction changed a row, and the row's new modification date; nil keeps the old date.
    func setChange(_ number: UInt64, modification: Double? = nil, at slot: Int) {
        if !ownsSettled {
            let date = modification ?? self.modification(at: slot)
            if edits.set(RowEdits.Edit(slot: Int32(slot), changeNumber: number, modification: date)) { return }
        }
        let settled = ownSettledColumns()
        settled.changeNumber[slot] = number
        if let modification { settled.modification[slot] = modification }
    }

    /// The slots of the rows that were changed by transactions after `number`, in ascending order. `older` is this chunk
    /// in the state after transaction `number`, if it existed.
    func slotsChanged(after number: UInt64, since older: ChunkColumns?) -> [Int] {
        // If both versions share the settled columns, only listed edits have been written since.
        if let older, older.settled === settled {
            return edits.edits.filter { $0.changeNumber > number }.map { Int($0.slot) }.sorted()
        }
        let numbers = changeNumber
        return (0..<count).filter { numbers[$0] > number }
    }
}
