/// When rows were edited last, and by which transaction: a short list before the columns of a chunk, which say it of all
/// its rows.
///
/// Every edit writes both, so that a list of some hundred bytes is copied for it instead of two columns. Once the list is
/// full, the columns are written, and all versions of the chunk from then on share those: a log-structured merge (P.
/// O'Neil et al., 1996) of one level.
struct RowEdits: Sendable {
    struct Edit: Sendable {
        let slot: Int32
        var changeNumber: UInt64
        var modification: Double
    }

    static let capacity = 32

    /// One for each row, in no order.
    private(set) var edits: [Edit] = []

    @inline(__always)
    subscript(slot: Int) -> Edit? {
        for edit in edits where Int(edit.slot) == slot { return edit }
        return nil
    }

    /// - Returns: false where there is no room.
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
    /// The number of the transaction that touched the row last.
    func changeNumber(at slot: Int) -> UInt64 { edits[slot]?.changeNumber ?? settled.changeNumber[slot] }

    func modification(at slot: Int) -> Double { edits[slot]?.modification ?? settled.modification[slot] }

    /// The change numbers of all rows; a copy if some rows were edited.
    var changeNumber: [UInt64] {
        var numbers = settled.changeNumber
        for edit in edits.edits { numbers[Int(edit.slot)] = edit.changeNumber }
        return numbers
    }

    /// Of all rows; a copy where some were edited.
    var modification: [Double] {
        var dates = settled.modification
        for edit in edits.edits { dates[Int(edit.slot)] = edit.modification }
        return dates
    }

    /// Notes that a transaction changed a row, which says itself when it was modified, or else keeps its date.
    func setChange(_ number: UInt64, modification: Double? = nil, at slot: Int) {
        if !ownsSettled {
            let date = modification ?? self.modification(at: slot)
            if edits.set(RowEdits.Edit(slot: Int32(slot), changeNumber: number, modification: date)) { return }
        }
        let settled = ownSettledColumns()
        settled.changeNumber[slot] = number
        if let modification { settled.modification[slot] = modification }
    }

    /// The rows that were changed by transactions after `number`, in ascending order, if `older` is the same chunk as it
    /// was then.
    func slotsChanged(after number: UInt64, since older: ChunkColumns?) -> [Int] {
        // Nothing but edits has been written since.
        if let older, older.settled === settled {
            return edits.edits.filter { $0.changeNumber > number }.map { Int($0.slot) }.sorted()
        }
        let numbers = changeNumber
        return (0..<count).filter { numbers[$0] > number }
    }
}
