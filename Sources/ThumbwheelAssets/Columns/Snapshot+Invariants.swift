extension Snapshot {
    /// The rules that this snapshot breaks, as readable text; empty if it obeys all of them. It is for tests. The time
    /// is linear in the number of assets.
    var brokenInvariants: [String] {
        var broken: [String] = []
        var aliveCount = 0
        for (number, chunk) in chunks.enumerated() {
            let columns = chunk.columns
            broken += columns.brokenInvariants.map { "chunk \(number): \($0)" }
            if chunks.creationBounds(number) != columns.creationBounds {
                broken.append("chunk \(number): bounds in the list that are not the chunk's")
            }
            if number + 1 < chunks.count, columns.count != Chunk.rowCount {
                broken.append("chunk \(number): \(columns.count) rows, and it is not the last")
            }
            columns.mask(.alive).forEachSlot { slot in
                aliveCount += 1
                let row = Chunk.row(number, slot)
                if self.row(of: columns.identifier(at: slot)) != row { broken.append("row \(row) is not in the index") }
                if columns.changeNumber(at: slot) > self.number {
                    broken.append("row \(row) is of a later transaction")
                }
            }
        }
        if aliveCount != index.count { broken.append("\(index.count) rows in the index, \(aliveCount) alive") }
        return broken
    }
}

extension ChunkColumns {
    fileprivate var brokenInvariants: [String] {
        var broken: [String] = []
        if !creationBounds.covers(DateBounds(creation.prefix(count))) { broken.append("a date beyond the bounds") }
        let slots = edits.edits.map(\.slot)
        if Set(slots).count != slots.count || slots.count > RowEdits.capacity {
            broken.append("edits twice or too many")
        }
        if !slots.allSatisfy({ $0 >= 0 && $0 < count }) { broken.append("edits of rows that are not there") }
        let numbers = [creation, settled.modification, settled.added]
        let sparse = [settled.latitude, settled.longitude, settled.altitude, settled.duration, settled.newestFileDate]
        if !numbers.allSatisfy({ $0.count == Chunk.rowCount }) { broken.append("a column that is not full") }
        let words = [settled.subtypes, settled.nodes, settled.samples]
        if !sparse.allSatisfy({ $0.isEmpty || $0.count == Chunk.rowCount })
            || !words.allSatisfy({ $0.isEmpty || $0.count == Chunk.rowCount })
        {
            broken.append("a column partly there")
        }
        return broken
    }
}
