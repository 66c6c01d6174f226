/// Checks of the albums and folders in a draft (the new state that a transaction prepares) before the draft is
/// published. Without the checks, a faulty operation could make a library that can be saved but not loaded.
///
/// Only the changed collections are checked, because all other collections were valid before the transaction. In the
/// member list of a changed folder, only the part that differs from the old list is checked.
extension SnapshotDraft {
    /// The broken rule as readable text; nil if all rules are obeyed.
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

    /// The changed parts of the member lists of all checked folders. The changed part of a list is the list without the
    /// beginning and the end that the old and the new list have in common.
    private struct FolderLists {
        /// The folder of each collection in the changed part of a folder's new member list. The changed part is the new
        /// list without the beginning and the end that it has in common with the old list.
        var folders: [CollectionIdentifier: CollectionIdentifier] = [:]
        /// The former members of all checked folders, as one set. Only collections in the changed part of a folder's
        /// old member list are included. The changed part is the old list without the beginning and the end that it has
        /// in common with the new list.
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
            // Detects a collection that the new list contains twice. The loop visits the changed part of the new list,
            // so `child` is in that part. If `child` was in the old list but not in its changed part (`formerHere`), it
            // is also in the beginning or the end that both lists have in common. Then the new list contains it in two
            // places.
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

    /// Checks that nothing refers to a deleted collection. Each member of a deleted folder must be deleted too or be in
    /// another folder, and no folder may list the deleted collection.
    private func brokenInvariant(ofDeleted identifier: CollectionIdentifier, _ lists: FolderLists) -> String? {
        guard let before = base.collections[identifier] else { return nil }
        if collections[before.parent] != nil, !lists.former.contains(identifier) {
            return "a folder names a collection that is deleted"
        }
        let isLeft = before.children.contains { collections[$0] != nil && lists.folders[$0] == nil }
        return isLeft ? "a collection is in a folder that is deleted" : nil
    }

    /// Checks that a collection is in the list of its new folder and not in the list of its old folder.
    private func brokenInvariant(ofPlaceOf record: CollectionRecord, _ lists: FolderLists) -> String? {
        let identifier = record.identifier
        let former = base.collections[identifier]?.parent
        if former == record.parent {
            // The collection has not changed its folder. `lists` contains only the changed parts of the folder's old
            // and new lists: their common beginning and common end are cut off. If the collection is in both changed
            // parts, it has moved within the folder. If it is in the changed part of the old list only, it is missing
            // in the new list.
            let isGone = lists.former.contains(identifier) && lists.folders[identifier] == nil
            return isGone ? "a collection is in no folder" : nil
        }
        if lists.folders[identifier] != record.parent { return "a collection is in no folder" }
        if let former, collections[former] != nil, !lists.former.contains(identifier) {
            return "a folder names a collection that has left it"
        }
        return nil
    }

    /// Checks that a path of folders leads from the top level to every new collection and to every collection that has
    /// moved to another folder. Each folder is visited once.
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
