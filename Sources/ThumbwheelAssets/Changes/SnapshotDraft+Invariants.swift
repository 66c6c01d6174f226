/// What must hold of albums and folders before a draft is published: whatever an operation did, no library is in a state
/// from which, once it is saved, it cannot be loaded.
///
/// Only what the transaction touched is looked at. What it left alone held before: of a folder's list the beginning and the
/// end that are as they were are compared and no more.
extension SnapshotDraft {
    /// In words; nil where all is well.
    var brokenInvariant: String? {
        let touched = journal.updatedCollections.union(journal.insertedCollections)
        if touched.isEmpty, journal.deletedCollections.isEmpty { return nil }
        var lists = FolderLists()
        for identifier in touched {
            guard let record = collections[identifier] else { continue }
            if let reason = record.isFolder ? add(record, to: &lists) : brokenInvariant(ofAlbum: record) {
                return reason
            }
        }
        let deleted = Set(journal.deletedCollections).filter { collections[$0] == nil }
        for identifier in deleted {
            if let reason = brokenInvariant(ofDeleted: identifier, lists) { return reason }
        }
        for identifier in touched where identifier != .root {
            guard let record = collections[identifier] else { continue }
            if let reason = brokenInvariant(ofPlaceOf: record, lists) { return reason }
        }
        return brokenInvariant(ofPathsFrom: touched)
    }

    /// The parts of folders' lists that are others than they were.
    private struct FolderLists {
        /// The folder of each collection that is in such a part.
        var folders: [CollectionIdentifier: CollectionIdentifier] = [:]
        /// Those that were in such a part.
        var former: Set<CollectionIdentifier> = []
    }

    private func add(_ record: CollectionRecord, to lists: inout FolderLists) -> String? {
        if !record.rows.isEmpty { return "a folder holds assets" }
        let before = base.collections[record.identifier]?.children ?? []
        let after = record.children
        let shorter = min(before.count, after.count)
        var start = 0
        while start < shorter, before[start] == after[start] { start += 1 }
        var end = 0
        while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] { end += 1 }
        let former = before[start..<before.count - end]
        lists.former.formUnion(former)
        let formerHere = Set(former)
        for child in after[start..<after.count - end] {
            if lists.folders.updateValue(record.identifier, forKey: child) != nil {
                return "a collection is in two places"
            }
            guard child != .root, let childRecord = collections[child], childRecord.parent == record.identifier else {
                return "a folder names a collection that is not in it"
            }
            // Or else it would be in the list a second time, in the part that was left alone.
            let wasHere = base.collections[child]?.parent == record.identifier
            if wasHere, !formerHere.contains(child) { return "a collection is in a folder twice" }
        }
        return nil
    }

    private func brokenInvariant(ofAlbum record: CollectionRecord) -> String? {
        if !record.children.isEmpty { return "an album holds collections" }
        if let before = base.collections[record.identifier], before.rows == record.rows { return nil }
        var seen: Set<UInt32> = []
        seen.reserveCapacity(record.rows.count)
        let isSound = record.rows.allSatisfy { row in
            Int(row) < rowCount && Chunk.slot(of: row) < Chunk.rowCount && seen.insert(row).inserted
        }
        return isSound ? nil : "an album holds an asset twice, or one that is not there"
    }

    /// What was in a deleted folder, or named one, is gone or elsewhere.
    private func brokenInvariant(ofDeleted identifier: CollectionIdentifier, _ lists: FolderLists) -> String? {
        guard let before = base.collections[identifier] else { return nil }
        if collections[before.parent] != nil, !lists.former.contains(identifier) {
            return "a folder names a collection that is deleted"
        }
        let isLeft = before.children.contains { collections[$0] != nil && lists.folders[$0] == nil }
        return isLeft ? "a collection is in a folder that is deleted" : nil
    }

    /// A collection that moved is in the list of the one folder that it names.
    private func brokenInvariant(ofPlaceOf record: CollectionRecord, _ lists: FolderLists) -> String? {
        let identifier = record.identifier
        let former = base.collections[identifier]?.parent
        if former == record.parent {
            // It may have been taken out of the list, or moved in it.
            let isGone = lists.former.contains(identifier) && lists.folders[identifier] == nil
            return isGone ? "a collection is in no folder" : nil
        }
        if lists.folders[identifier] != record.parent { return "a collection is in no folder" }
        if let former, collections[former] != nil, !lists.former.contains(identifier) {
            return "a folder names a collection that has left it"
        }
        return nil
    }

    /// From every collection that moved the way up leads to the top. Each folder on the way is passed once.
    private func brokenInvariant(ofPathsFrom touched: Set<CollectionIdentifier>) -> String? {
        var sound: Set<CollectionIdentifier> = [.root]
        for identifier in touched {
            guard let record = collections[identifier], base.collections[identifier]?.parent != record.parent else {
                continue
            }
            var path: Set<CollectionIdentifier> = []
            var next = identifier
            while !sound.contains(next) {
                guard path.insert(next).inserted else { return "a folder is inside itself" }
                guard let record = collections[next] else { return "a collection is in a folder that is not there" }
                guard record.isFolder || next == identifier else { return "a collection is in an album" }
                next = record.parent
            }
            sound.formUnion(path)
        }
        return nil
    }
}
