import Foundation

extension LibraryTransaction {
    mutating func createCollection(
        _ kind: CollectionIdentifier.Kind, _ subtype: Int, _ title: String, in folder: (any CollectionReference)?
    ) throws(ChangeError) -> CollectionPlaceholder {
        try attempt { transaction throws(ChangeError) in
            try transaction.requireFullAccess()
            let parent = folder?.identifier ?? .root
            let record = try transaction.editableRecord(parent)
            guard record.isFolder else { throw ChangeError(.collectionNotEditable(parent)) }
            let identifier = CollectionIdentifier.random(kind)
            let draft = transaction.draft
            draft.collections[identifier] = CollectionRecord(
                identifier: identifier, subtype: subtype, title: title, parent: parent,
                sequence: draft.collections.takeSequence(), changeNumber: draft.number,
                modified: transaction.date.timeIntervalSinceReferenceDate)
            draft.collections.update(parent) { $0.children.append(identifier) }
            draft.journal.insertedCollections.append(identifier)
            transaction.markUpdated(parent)
            return CollectionPlaceholder(identifier: identifier)
        }
    }

    /// Sets the title of an album or a folder.
    ///
    /// - Throws: `ChangeError`: `.unknownCollection`, `.collectionNotEditable`.
    public mutating func setTitle(
        _ title: String, of collection: some CollectionReference
    ) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            let record = try transaction.editableRecord(collection.identifier)
            guard record.identifier != .root else { throw ChangeError(.collectionNotEditable(record.identifier)) }
            if record.title == title { return }
            transaction.draft.collections.update(record.identifier) { $0.title = title }
            transaction.markUpdated(record.identifier)
        }
    }

    /// Deletes albums and folders. The collections in a deleted folder are deleted too. The assets of deleted albums
    /// stay in the library.
    ///
    /// - Throws: `ChangeError` with a reason for each collection that is unknown or cannot be edited.
    public mutating func deleteCollections(_ collections: [any CollectionReference]) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            var reasons: [ChangeError.Reason] = []
            for collection in collections {
                do throws(ChangeError) {
                    let record = try transaction.editableRecord(collection.identifier)
                    if record.identifier == .root { reasons.append(.collectionNotEditable(.root)) }
                } catch {
                    reasons += error.reasons
                }
            }
            guard reasons.isEmpty else { throw ChangeError(reasons) }
            transaction.removeCollections(collections.map(\.identifier))
        }
    }

    /// Deletes collections and all collections inside them. The method uses a stack instead of recursion, because
    /// folders may be nested to any depth.
    func removeCollections(_ identifiers: [CollectionIdentifier]) {
        var parents: [CollectionIdentifier: Set<CollectionIdentifier>] = [:]
        var pending: [CollectionIdentifier] = []
        for identifier in identifiers {
            guard let record = draft.collections[identifier] else { continue }
            parents[record.parent, default: []].insert(identifier)
            pending.append(identifier)
        }
        for (parent, children) in parents {
            draft.collections.update(parent) { $0.children.removeAll { children.contains($0) } }
            markUpdated(parent)
        }
        while let next = pending.popLast() {
            guard let record = draft.collections[next] else { continue }
            pending += record.children
            draft.collections[next] = nil
            draft.journal.deletedCollections.append(next)
        }
    }

    /// Returns the stored record of an album or folder. Throws if the collection is unknown or may not be changed.
    func editableRecord(_ identifier: CollectionIdentifier) throws(ChangeError) -> CollectionRecord {
        try requireFullAccess()
        guard let record = draft.collections[identifier] else { throw ChangeError(Self.refusal(ofAbsent: identifier)) }
        guard record.isEditable else { throw ChangeError(.collectionNotEditable(identifier)) }
        return record
    }

    static func refusal(ofAbsent identifier: CollectionIdentifier) -> ChangeError.Reason {
        identifier.isOfUneditable ? .collectionNotEditable(identifier) : .unknownCollection(identifier)
    }

    func markUpdated(_ identifier: CollectionIdentifier) {
        draft.collections.update(identifier) { record in
            record.changeNumber = draft.number
            record.modified = date.timeIntervalSinceReferenceDate
        }
        draft.journal.updatedCollections.insert(identifier)
    }
}

/// Methods for albums that the host program copies from another source. Users cannot edit such albums.
extension LibraryTransaction {
    /// Makes a synced, shared or imported album.
    ///
    /// - Throws: `ChangeError` with a reason for each unknown asset.
    @discardableResult
    public mutating func createHostAlbum(
        title: String, subtype: AssetCollection.Subtype, assets: some Sequence<some AssetReference>
    ) throws(ChangeError) -> CollectionPlaceholder {
        let assets = Array(assets)
        return try attempt { transaction throws(ChangeError) in
            let album = try transaction.createCollection(.album, subtype.rawValue, title, in: nil)
            try transaction.setAssets(assets, ofHostAlbum: album)
            return album
        }
    }

    /// Replaces the assets of a synced, shared or imported album.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if the album is not synced, shared or imported; otherwise a
    ///   reason for each unknown asset.
    public mutating func setAssets(
        _ assets: some Sequence<some AssetReference>, ofHostAlbum album: some CollectionReference
    ) throws(ChangeError) {
        let assets = Array(assets)
        try attempt { transaction throws(ChangeError) in
            let identifier = try transaction.hostAlbum(album)
            var seen: Set<UInt32> = []
            let rows = try transaction.rows(of: assets).map(\.row).filter { seen.insert($0).inserted }
            if transaction.draft.collections[identifier]?.rows == rows { return }
            transaction.draft.collections.update(identifier) { $0.rows = rows }
            transaction.markUpdated(identifier)
        }
    }

    /// Deletes a synced, shared or imported album. Its assets stay in the library.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if the album is not synced, shared or imported.
    public mutating func deleteHostAlbum(_ album: some CollectionReference) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            transaction.removeCollections([try transaction.hostAlbum(album)])
        }
    }

    private func hostAlbum(_ album: some CollectionReference) throws(ChangeError) -> CollectionIdentifier {
        try requireFullAccess()
        guard let record = draft.collections[album.identifier] else {
            throw ChangeError(Self.refusal(ofAbsent: album.identifier))
        }
        guard !record.isFolder, !record.isEditable else { throw ChangeError(.collectionNotEditable(record.identifier)) }
        return record.identifier
    }
}
