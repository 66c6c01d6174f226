import ThumbwheelCore

/// The assets because of which albums tell other counts, dates or places after a change, although their lists of
/// members are the same: assets that were hidden or moved to Recently Deleted, or came from there, or have another date
/// or place.
struct RetoldMembers {
    private let before: Snapshot
    /// The rows of these assets in the snapshot before the change.
    private let rows: Set<UInt32>

    /// Finds the assets.
    ///
    /// - Complexity: linear in the number of chunks and of changed assets. If rows were renumbered between the two
    ///   snapshots, linear in the number of assets.
    init(from before: Snapshot, to after: Snapshot) {
        self.before = before
        rows = Set(
            before.rows(changedUpTo: after).filter { row in
                let identifier = before.identifier(of: row)
                guard before.row(of: identifier) == row else { return false }
                return before.told(of: row) != after.row(of: identifier).flatMap { after.told(of: $0) }
            })
    }

    /// Returns whether an album has one of these assets.
    func concern(_ album: CollectionIdentifier) -> Bool {
        !rows.isEmpty && before.collections[album]?.rows.contains(where: rows.contains) == true
    }
}

extension Snapshot {
    /// Returns the date and the place of an asset, as bits, because albums tell of them; nil if albums tell nothing of
    /// the asset.
    fileprivate func told(of row: UInt32) -> [UInt64?]? {
        let (columns, slot) = (chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
        guard columns.shownInAlbums.contains(slot) else { return nil }
        let place = columns.location(at: slot)
        return [columns.creation[slot].bitPattern]
            + [place?.latitude, place?.longitude, place?.altitude].map { $0?.bitPattern }
    }
}
