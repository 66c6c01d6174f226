import Foundation

/// Operations on folders. An index is a position in the folder's list of collections, as an index of the operations on
/// albums is a position in the album's list of assets. If the folder is nil, the operation changes the top level.
extension LibraryTransaction {
    /// Makes a folder in another folder or at the top level.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if `folder` is not a folder that was made in this library.
    @discardableResult
    public mutating func createFolder(
        title: String, in folder: (any CollectionReference)? = nil
    ) throws(ChangeError) -> CollectionPlaceholder {
        try createCollection(.folder, CollectionList.Subtype.regularFolder.rawValue, title, in: folder)
    }

    /// Moves collections from any place to the end of a folder. Collections that are already in the folder keep their
    /// positions.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if the folder cannot be edited; `.unknownCollection` for each
    ///   given collection that the library does not have; `.cyclicFolder` for each given collection that is the folder
    ///   or contains it.
    public mutating func addChildCollections(
        _ collections: [any CollectionReference], to folder: (any CollectionReference)?
    ) throws(ChangeError) {
        try editChildren(of: folder, collections, nil) { edit, children throws(Refusal) in edit.add(children) }
    }

    /// Moves collections into a folder so that each is at its given position in the end. None of them may be in the
    /// folder already.
    ///
    /// - Throws: `ChangeError`: `.countMismatch`, `.indexOutOfRange`, `.duplicateCollection`, `.cyclicFolder`.
    public mutating func insertChildCollections(
        _ collections: [any CollectionReference], into folder: (any CollectionReference)?, at indexes: IndexSet,
        pinnedTo result: FetchResult<CollectionItem>? = nil
    ) throws(ChangeError) {
        try editChildren(of: folder, collections, result) { edit, children throws(Refusal) in
            try edit.insert(children, at: indexes)
        }
    }

    /// Moves collections from a folder to the end of the top level. Collections that are not in the folder are ignored.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if the folder cannot be edited; `.unknownCollection` for each
    ///   given collection that the library does not have.
    public mutating func removeChildCollections(
        _ collections: [any CollectionReference], from folder: any CollectionReference
    ) throws(ChangeError) {
        try editChildren(of: folder, collections, nil, takesMembers: false) { edit, children throws(Refusal) in
            edit.remove(children)
        }
    }

    /// Moves the collections at the given positions from a folder to the end of the top level.
    ///
    /// - Throws: `ChangeError`: `.indexOutOfRange`, `.collectionNotEditable`.
    public mutating func removeChildCollections(
        at indexes: IndexSet, from folder: any CollectionReference, pinnedTo result: FetchResult<CollectionItem>? = nil
    ) throws(ChangeError) {
        try editChildren(of: folder, [], result) { edit, _ throws(Refusal) in try edit.remove(at: indexes) }
    }

    /// Replaces the collections at the given positions with others. The replaced collections move to the end of the top
    /// level.
    ///
    /// - Throws: `ChangeError`: `.countMismatch`; `.indexOutOfRange`; `.cyclicFolder`; `.notInAFolder` if a collection
    ///   at the top level would be replaced, because it has no place to move to. A folder of nil stands for the top
    ///   level.
    public mutating func replaceChildCollections(
        at indexes: IndexSet, in folder: (any CollectionReference)?, with collections: [any CollectionReference],
        pinnedTo result: FetchResult<CollectionItem>? = nil
    ) throws(ChangeError) {
        try editChildren(of: folder, collections, result) { edit, children throws(Refusal) in
            try edit.replace(at: indexes, with: children)
        }
    }

    /// Moves collections so that they are together, the first of them at the position `target`. This position is
    /// counted in the folder without the moved collections.
    ///
    /// - Throws: `ChangeError`: `.indexOutOfRange`, `.collectionNotEditable`.
    public mutating func moveChildCollections(
        at indexes: IndexSet, to target: Int, in folder: (any CollectionReference)?,
        pinnedTo result: FetchResult<CollectionItem>? = nil
    ) throws(ChangeError) {
        try editChildren(of: folder, [], result) { edit, _ throws(Refusal) in try edit.move(at: indexes, to: target) }
    }

    private typealias Refusal = MemberEdit<CollectionIdentifier>.Refusal

    private mutating func editChildren(
        of folder: (any CollectionReference)?, _ collections: [any CollectionReference],
        _ pinned: FetchResult<CollectionItem>?, takesMembers: Bool = true,
        _ body: (inout MemberEdit<CollectionIdentifier>, [CollectionIdentifier]) throws(Refusal) -> Void
    ) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            let parent = folder?.identifier ?? .root
            let record = try transaction.editableRecord(parent)
            guard record.isFolder else { throw ChangeError(.collectionNotEditable(parent)) }
            let children = try transaction.children(collections, for: parent, takesMembers: takesMembers)
            let shown = pinned?.map(\.identifier) ?? record.children
            let edit: MemberEdit<CollectionIdentifier>
            do throws(Refusal) {
                var changed = try MemberEdit(shown)
                try body(&changed, children)
                edit = changed
            } catch {
                throw Self.changeError(error)
            }
            let merged = shown == record.children ? edit.members : edit.merged(into: record.children)
            if merged == record.children { return }
            let (before, after) = (Set(record.children), Set(merged))
            let removed = record.children.filter { !after.contains($0) }
            if parent == .root, let first = removed.first { throw ChangeError(.notInAFolder(first)) }
            transaction.draft.collections.update(parent) { $0.children = merged }
            transaction.markUpdated(parent)
            transaction.adopt(merged.filter { !before.contains($0) }, by: parent)
            transaction.moveToTop(removed)
        }
    }

    /// Returns the identifiers of the given collections. Throws an error with a reason for each collection that is
    /// unknown or cannot be put into `parent`.
    private func children(
        _ collections: [any CollectionReference], for parent: CollectionIdentifier, takesMembers: Bool
    ) throws(ChangeError) -> [CollectionIdentifier] {
        let ancestors = takesMembers ? ancestors(of: parent) : []
        var reasons: [ChangeError.Reason] = []
        for identifier in collections.map(\.identifier) {
            if draft.collections[identifier] == nil || identifier == .root {
                reasons.append(Self.refusal(ofAbsent: identifier))
            } else if ancestors.contains(identifier) {
                reasons.append(.cyclicFolder(identifier))
            }
        }
        guard reasons.isEmpty else { throw ChangeError(reasons) }
        return collections.map(\.identifier)
    }

    /// Returns a folder and all folders that contain it, directly or indirectly.
    private func ancestors(of folder: CollectionIdentifier) -> Set<CollectionIdentifier> {
        var ancestors: Set<CollectionIdentifier> = []
        var next = folder
        while next != .root, ancestors.insert(next).inserted { next = draft.collections[next]?.parent ?? .root }
        return ancestors
    }

    /// Completes the move of collections that have been added to the list of `parent`: makes `parent` their folder, and
    /// removes them from the lists of their old folders.
    private func adopt(_ children: [CollectionIdentifier], by parent: CollectionIdentifier) {
        var leaving: [CollectionIdentifier: Set<CollectionIdentifier>] = [:]
        for child in children {
            guard let old = draft.collections[child]?.parent else { continue }
            leaving[old, default: []].insert(child)
            draft.collections.update(child) { $0.parent = parent }
            markUpdated(child)
        }
        for (old, children) in leaving {
            draft.collections.update(old) { $0.children.removeAll { children.contains($0) } }
            markUpdated(old)
        }
    }

    private func moveToTop(_ children: [CollectionIdentifier]) {
        if children.isEmpty { return }
        for child in children {
            draft.collections.update(child) { $0.parent = .root }
            markUpdated(child)
        }
        draft.collections.update(.root) { $0.children += children }
        markUpdated(.root)
    }

    private static func changeError(_ refusal: Refusal) -> ChangeError {
        switch refusal {
        case .outOfRange(let index, let count): ChangeError(.indexOutOfRange(index: index, count: count))
        case .countMismatch(let indexes, let items): ChangeError(.countMismatch(indexes: indexes, items: items))
        case .duplicate(let identifier): ChangeError(.duplicateCollection(identifier))
        }
    }
}
