/// Checks of albums and folders before a draft is published, so that no operation can produce a library that can be saved
/// but not loaded.
///
/// Only the changed collections are checked, because the others were valid before. The unchanged beginning and end of a
/// folder's list are only compared with the old list.
extension SnapshotDraft {
    /// The broken invariant as readable text; nil if all invariants hold.
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

    /// The changed parts of the lists of all checked folders.
    private struct FolderLists {
        /// For each collection that is in a changed part now, its folder.
        var folders: [CollectionIdentifier: CollectionIdentifier] = [:]
        /// The collections that were in a changed part before.
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
            // A child that was in this folder before, but outside the changed part, is still in the unchanged part and so
            // is in the list twice.
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

    /// Checks that a deleted folder leaves nothing behind: each of its collections must be deleted too or be in another
    /// folder, and no folder may name it.
    private func brokenInvariant(ofDeleted identifier: CollectionIdentifier, _ lists: FolderLists) -> String? {
        guard let before = base.collections[identifier] else { return nil }
        if collections[before.parent] != nil, !lists.former.contains(identifier) {
            return "a folder names a collection that is deleted"
        }
        let isLeft = before.children.contains { collections[$0] != nil && lists.folders[$0] == nil }
        return isLeft ? "a collection is in a folder that is deleted" : nil
    }

    /// Checks that a collection that has moved is in the list of the folder that it names, and in no other list.
    private func brokenInvariant(ofPlaceOf record: CollectionRecord, _ lists: FolderLists) -> String? {
        let identifier = record.identifier
        let former = base.collections[identifier]?.parent
        if former == record.parent {
            // The collection may have been removed from its folder's list, or moved within the list.
            let isGone = lists.former.contains(identifier) && lists.folders[identifier] == nil
            return isGone ? "a collection is in no folder" : nil
        }
        if lists.folders[identifier] != record.parent { return "a collection is in no folder" }
        if let former, collections[former] != nil, !lists.former.contains(identifier) {
            return "a folder names a collection that has left it"
        }
        return nil
    }

    /// Checks that every collection that has moved reaches the top level through its folders. Each folder on the way is
    /// visited once.
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
