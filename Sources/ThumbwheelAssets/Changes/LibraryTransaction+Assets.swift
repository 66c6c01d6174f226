import Foundation

extension LibraryTransaction {
    /// Changes the properties and the picture of an asset. Setting a property to its present value changes nothing.
    ///
    /// - Throws: `ChangeError`: `.unknownAsset`; `.assetNotEditable` if the asset does not come from the user's own
    ///   library. A change of the picture can also throw `.invalidContentEditingOutput` and the errors of `setAdjusted`
    ///   and `revertToOriginal`.
    public mutating func edit(
        _ asset: some AssetReference, _ body: (inout AssetEdits) -> Void
    ) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            let row = try transaction.row(of: asset)
            try transaction.requireOperation(.properties, asset.identifier, row)
            try transaction.edit(asset.identifier, row, body)
        }
    }

    /// Changes the properties and the pictures of several assets, one after another. In a large library, this is
    /// faster than a call of `edit(_:_:)` for each of them. An asset that is listed twice is edited twice.
    ///
    /// - Parameter body: changes the asset with the given identifier. It is called only if all assets can be edited.
    /// - Throws: `ChangeError` with a reason for each asset that is unknown (`.unknownAsset`) or does not come from the
    ///   user's own library (`.assetNotEditable`). No asset has been changed then. A change of a picture can throw the
    ///   same errors as in `edit(_:_:)`. The assets before it have then been changed in the transaction, which is not
    ///   committed.
    @inlinable
    public mutating func editAssets(
        _ assets: some Sequence<some AssetReference>, _ body: (AssetIdentifier, inout AssetEdits) -> Void
    ) throws(ChangeError) {
        // Inlined into the caller's module, which knows the types. Elsewhere, generic code would read the identifiers.
        try edit(assets.map(\.identifier), body)
    }

    @usableFromInline
    mutating func edit(
        _ identifiers: [AssetIdentifier], _ body: (AssetIdentifier, inout AssetEdits) -> Void
    ) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            let rows = try transaction.rows(of: identifiers) { transaction.refusal(of: .properties, $0, $1) }
            for (identifier, row) in rows { try transaction.edit(identifier, row) { body(identifier, &$0) } }
        }
    }

    private mutating func edit(
        _ identifier: AssetIdentifier, _ row: UInt32, _ body: (inout AssetEdits) -> Void
    ) throws(ChangeError) {
        let before = draft.edits(of: row)
        var after = before
        body(&after)
        if let change = after.contentChange { try make(change, of: identifier, row) }
        let (movesDate, movesPlace) = (after.movesDate(from: before), after.movesPlace(from: before))
        let isFlagged = after.isFavorite != before.isFavorite || after.isHidden != before.isHidden
        guard isFlagged || movesDate || movesPlace else { return }
        touch(row) { columns, slot in
            columns[.favorite, slot] = after.isFavorite
            columns[.hidden, slot] = after.isHidden
            if movesDate { columns.setCreationDate(AbsentNumber.number(after.creationDate), at: slot) }
            if movesPlace { columns.setLocation(after.location, at: slot) }
        }
    }

    func requireOperation(
        _ operation: AssetEditOperation, _ identifier: AssetIdentifier, _ row: UInt32
    ) throws(ChangeError) {
        if let reason = refusal(of: operation, identifier, row) { throw ChangeError(reason) }
    }

    private func refusal(
        of operation: AssetEditOperation, _ identifier: AssetIdentifier, _ row: UInt32
    ) -> ChangeError.Reason? {
        let isAllowed = draft.read(row) { columns, slot in
            !columns[.outsideUserLibrary, slot] && (operation != .content || columns.mediaType(at: slot) == .image)
        }
        return isAllowed ? nil : .assetNotEditable(identifier, operation)
    }

    /// Moves assets to Recently Deleted. Assets that are already in it stay there. See
    /// <doc:Semantics#Recently-Deleted>.
    ///
    /// - Throws: `ChangeError` with a reason for each asset that is unknown or cannot be deleted.
    public mutating func deleteAssets(_ assets: some Sequence<some AssetReference>) throws(ChangeError) {
        let assets = Array(assets)
        try attempt { transaction throws(ChangeError) in
            let rows = try transaction.rows(of: assets) { transaction.refusal(of: .delete, $0, $1) }
            for (_, row) in rows where !transaction.draft.flag(.trashed, of: row) {
                transaction.setTrashed(true, row)
            }
        }
    }

    /// Moves assets from Recently Deleted back to the library and to the albums that contained them.
    ///
    /// - Throws: `ChangeError` with `.notRecentlyDeleted` for each asset that is not in Recently Deleted.
    public mutating func restoreAssets(_ assets: some Sequence<some AssetReference>) throws(ChangeError) {
        let assets = Array(assets)
        try attempt { transaction throws(ChangeError) in
            for (_, row) in try transaction.trashedRows(of: assets) { transaction.setTrashed(false, row) }
        }
    }

    /// Deletes assets for good. They must be in Recently Deleted.
    ///
    /// - Throws: `ChangeError` with `.notRecentlyDeleted` for each asset that is not in Recently Deleted.
    public mutating func deleteAssetsPermanently(
        _ assets: some Sequence<some AssetReference>
    ) throws(ChangeError) {
        let assets = Array(assets)
        try attempt { transaction throws(ChangeError) in
            var seen: Set<UInt32> = []
            for (_, row) in try transaction.trashedRows(of: assets) where seen.insert(row).inserted {
                transaction.draft.expunge(row)
            }
        }
    }

    /// Deletes for good the assets that were moved to Recently Deleted before a date. Call it from time to time to
    /// empty Recently Deleted.
    ///
    /// - Complexity: linear in the number of assets in the library.
    /// - Throws: `ChangeError`: `.accessUserDenied` if the user may only add assets.
    public mutating func deleteAssetsPermanently(trashedBefore limit: Date) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            try transaction.requireFullAccess()
            let draft = transaction.draft
            for (index, chunk) in draft.base.chunks.enumerated() {
                chunk.columns.mask(.trashed).forEachSlot { slot in
                    let row = Chunk.row(index, slot)
                    guard draft.flag(.trashed, of: row), transaction.maySee(draft.identifier(of: row)) else { return }
                    let trashed = draft.read(row) { $0.trashedDate(at: $1)?.timeIntervalSinceReferenceDate }
                    if let trashed, trashed < limit.timeIntervalSinceReferenceDate { draft.expunge(row) }
                }
            }
        }
    }

    func maySee(_ identifier: AssetIdentifier) -> Bool {
        if case .limited(let identifiers) = access { identifiers.contains(identifier) } else { true }
    }

    private func trashedRows(
        of assets: [some AssetReference]
    ) throws(ChangeError) -> [(identifier: AssetIdentifier, row: UInt32)] {
        try rows(of: assets) { identifier, row in
            draft.flag(.trashed, of: row) ? nil : .notRecentlyDeleted(identifier)
        }
    }

    func setTrashed(_ isTrashed: Bool, _ row: UInt32) {
        touch(row) { columns, slot in
            columns[.trashed, slot] = isTrashed
            columns[.sourceMissing, slot] = false
            columns.setTrashedDate(isTrashed ? date.timeIntervalSinceReferenceDate : nil, at: slot)
        }
    }
}
