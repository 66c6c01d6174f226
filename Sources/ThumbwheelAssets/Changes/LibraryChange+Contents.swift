extension LibraryChange {
    /// The assets whose pixels of before are nobody's any more: deleted for good, or changed. What was made of those pixels
    /// can go.
    ///
    /// Takes time proportional to the change.
    public var assetsWithLostContents: [AssetIdentifier] {
        after.rowsChanged(since: before).compactMap { row in
            guard Int(row) < before.rowCount else { return nil }
            let identifier = before.identifier(of: row)
            guard before.row(of: identifier) == row else { return nil }
            guard let rowNow = after.row(of: identifier) else { return identifier }
            return after.contentVersion(at: rowNow) == before.contentVersion(at: row) ? nil : identifier
        }
    }
}

extension Snapshot {
    fileprivate func contentVersion(at row: UInt32) -> UInt32 {
        chunks[Chunk.index(of: row)].columns.contentVersion(at: Chunk.slot(of: row))
    }
}
