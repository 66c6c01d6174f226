extension Snapshot {
    /// The number of dead rows: rows of assets that were deleted for good.
    var deadRowCount: Int {
        let count = chunks.last.map { $0.columns.count + (chunks.count - 1) * Chunk.rowCount } ?? 0
        return count - index.count
    }

    /// The number of dead rows (rows of deleted assets) that never cause compacting: a snapshot with at most this many
    /// dead rows is not compacted, even if it has no live rows.
    private static let minimumDeadRowCount = 2 * Chunk.rowCount

    /// Returns a snapshot with the same assets in the same order, but without dead rows (rows of deleted assets). If
    /// there are at most `minimumDeadRowCount` dead rows, or no more dead rows than live rows, the result is this
    /// snapshot.
    ///
    /// Compacting takes time linear in the number of live rows. It happens only when there are more dead rows than live
    /// rows, and it removes all dead rows. So it adds constant time to each deletion on average (amortized).
    func compacted() -> Snapshot {
        guard deadRowCount > max(index.count, Self.minimumDeadRowCount) else { return self }
        var chunks = ChunkList()
        var open = ChunkColumns()
        var places = [UInt32](repeating: .max, count: rowCount)
        for (number, chunk) in self.chunks.enumerated() {
            let alive = chunk.columns.mask(.alive)
            if open.count == 0, alive.count == Chunk.rowCount {
                alive.forEachSlot { places[Int(Chunk.row(number, $0))] = Chunk.row(chunks.count, $0) }
                chunks.append(chunk)
                continue
            }
            alive.forEachSlot { slot in
                places[Int(Chunk.row(number, slot))] = Chunk.row(chunks.count, open.count)
                open.append(chunk.columns, slot)
                guard open.count == Chunk.rowCount else { return }
                chunks.append(Chunk(open))
                open = ChunkColumns()
            }
        }
        if open.count > 0 { chunks.append(Chunk(open)) }
        var collections = collections
        collections.renumberRows { places[Int($0)] == .max ? nil : places[Int($0)] }
        return Snapshot(
            number: number, numbering: numbering + 1, chunks: chunks,
            rowCount: chunks.last.map { Int(Chunk.row(chunks.count - 1, 0)) + $0.columns.count } ?? 0,
            index: IdentifierIndex(of: chunks), collections: collections)
    }

    /// Returns the row of the same asset in a later snapshot, for each of `rows`. The later snapshot has other row
    /// numbers. If the asset was deleted for good, the result is `.max`, which is not a row.
    func renumbered(_ rows: [UInt32], in later: Snapshot) -> [UInt32] {
        rows.map { later.row(of: identifier(of: $0)) ?? .max }
    }

    /// Returns the rows of this snapshot whose assets were changed or deleted between this snapshot and `later`. If the
    /// rows were renumbered in between, the result is every row of this snapshot that has an asset. The caller then has
    /// to compare the assets.
    func rows(changedUpTo later: Snapshot) -> [UInt32] {
        if later.numbering == numbering { return later.rowsChanged(since: self).filter { Int($0) < rowCount } }
        return chunks.enumerated().flatMap { number, chunk in
            var rows: [UInt32] = []
            chunk.columns.mask(.alive).forEachSlot { rows.append(Chunk.row(number, $0)) }
            return rows
        }
    }
}

extension ChunkColumns {
    /// Appends a copy of a row from another chunk.
    fileprivate func append(_ other: ChunkColumns, _ slot: Int) {
        let place = count
        write(other.facts(at: slot), other.identifier(at: slot), at: place)
        ownSettledColumns().changeNumber[place] = other.changeNumber(at: slot)
        self[.sourceMissing, place] = other[.sourceMissing, slot]
        let version = other.contentVersion(at: slot)
        if let hash = other.hashes.hash(at: slot, contentVersion: version) {
            hashes.keep(hash, at: place, contentVersion: version)
        }
        let original = other.originalPicture(at: slot)
        if let digest = other.digests.digest(at: slot, original: original) {
            digests.keep(digest, at: place, original: original)
        }
    }
}
