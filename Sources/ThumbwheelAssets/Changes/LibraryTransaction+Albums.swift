import Foundation

extension LibraryTransaction {
    /// Makes an album in a folder or at the top level. The title may be empty and may have any length.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if `folder` is not a folder that was made in this library.
    @discardableResult
    public mutating func createAlbum(
        title: String, in folder: (any CollectionReference)? = nil
    ) throws(ChangeError) -> CollectionPlaceholder {
        try createCollection(.album, AssetCollection.Subtype.albumRegular.rawValue, title, in: folder)
    }

    /// Adds assets at the end of an album. Assets that are already in the album keep their positions. See
    /// <doc:Semantics#Editing-albums>.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if the album cannot be edited; `.unknownAsset` for each given
    ///   asset that the library does not have.
    public mutating func addAssets(
        _ assets: some Sequence<some AssetReference>, to album: some CollectionReference
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), nil) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            // A given asset that is in the album but hidden from fetches is left out of the added assets and keeps its
            // position in the album. The edited list contains only the members that a fetch shows, so the asset would
            // otherwise be added a second time.
            edit.add(members.rows.filter { !members.unseen.contains($0) })
        }
    }

    /// Inserts assets into an album. When all of them are inserted, each is at the position given for it; see
    /// <doc:Semantics#Editing-albums>.
    ///
    /// - Parameters:
    ///   - assets: The assets, in the order of their positions. None of them may be in the album.
    ///   - album: The album.
    ///   - indexes: The positions of the assets in the finished album.
    ///   - result: The fetch result to which the positions refer; nil for the album in its present state.
    /// - Throws: `ChangeError`: `.countMismatch`; `.duplicateAsset` if an asset is already in the album;
    ///   `.indexOutOfRange`.
    public mutating func insertAssets(
        _ assets: some Sequence<some AssetReference>, into album: some CollectionReference, at indexes: IndexSet,
        pinnedTo result: FetchResult<Asset>? = nil
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), result) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            try edit.insert(members.rows, at: indexes)
        }
    }

    /// Removes assets from an album. They stay in the library. Assets that are not in the album are ignored.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if the album cannot be edited; `.unknownAsset` for each given
    ///   asset that the library does not have.
    public mutating func removeAssets(
        _ assets: some Sequence<some AssetReference>, from album: some CollectionReference
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), nil) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            edit.remove(members.rows)
        }
    }

    /// Removes the assets at the given positions from an album. They stay in the library.
    ///
    /// - Throws: `ChangeError`: `.indexOutOfRange`, `.collectionNotEditable`.
    public mutating func removeAssets(
        at indexes: IndexSet, from album: some CollectionReference, pinnedTo result: FetchResult<Asset>? = nil
    ) throws(ChangeError) {
        try editMembers(of: album, [Asset](), result) { edit, _ throws(MemberEdit<UInt32>.Refusal) in
            try edit.remove(at: indexes)
        }
    }

    /// Replaces the assets at the given positions with others. If a new asset is already in the album, it moves to its
    /// new position.
    ///
    /// - Throws: `ChangeError`: `.countMismatch`; `.indexOutOfRange`; `.duplicateAsset` if an asset is given twice.
    public mutating func replaceAssets(
        at indexes: IndexSet, in album: some CollectionReference, with assets: some Sequence<some AssetReference>,
        pinnedTo result: FetchResult<Asset>? = nil
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), result) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            try edit.replace(at: indexes, with: members.rows)
        }
    }

    /// Moves assets so that they are together, the first of them at the position `target`. This position is counted in
    /// the album without the moved assets; see <doc:Semantics#Editing-albums>.
    ///
    /// - Throws: `ChangeError`: `.indexOutOfRange`, `.collectionNotEditable`.
    public mutating func moveAssets(
        at indexes: IndexSet, to target: Int, in album: some CollectionReference,
        pinnedTo result: FetchResult<Asset>? = nil
    ) throws(ChangeError) {
        try editMembers(of: album, [Asset](), result) { edit, _ throws(MemberEdit<UInt32>.Refusal) in
            try edit.move(at: indexes, to: target)
        }
    }

    /// The assets that an edit of an album has to consider: those that the caller has given, and the members that the
    /// caller's indexes do not count. An asset is given by its row number, which identifies it within a snapshot.
    private struct Members {
        /// The assets that the caller has given.
        let rows: [UInt32]
        /// The members of the album that are not in the list to which the caller's indexes refer, such as hidden
        /// assets.
        let unseen: Set<UInt32>
    }

    /// Applies an edit to the members of an ordinary album. All operations on albums use this method.
    ///
    /// The caller's indexes are positions in `pinned`, a fetch result that the caller has passed. If `pinned` is nil,
    /// they are positions in the list of members that a fetch without options shows. Members of the album that are not
    /// in this list, such as hidden assets, keep their positions.
    private mutating func editMembers(
        of album: some CollectionReference, _ assets: [some AssetReference], _ pinned: FetchResult<Asset>?,
        _ body: (inout MemberEdit<UInt32>, Members) throws(MemberEdit<UInt32>.Refusal) -> Void
    ) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            let record = try transaction.editableRecord(album.identifier)
            guard !record.isFolder else { throw ChangeError(.collectionNotEditable(record.identifier)) }
            let rows = try transaction.rows(of: assets).map(\.row)
            let draft = transaction.draft
            let living = record.rows.filter { draft.flag(.alive, of: $0) }
            let shown: [UInt32]
            if let pinned {
                shown = pinned.compactMap { draft.row(of: $0.identifier) }
                guard shown.count == pinned.count else {
                    let gone = pinned.first { draft.row(of: $0.identifier) == nil }
                    throw ChangeError(gone.map { .unknownAsset($0.identifier) } ?? .missingResource)
                }
            } else {
                shown = living.filter {
                    !draft.flag(.hidden, of: $0) && !draft.flag(.trashed, of: $0) && !draft.flag(.burstRest, of: $0)
                        && transaction.maySee(draft.identifier(of: $0))
                }
            }
            let edit: MemberEdit<UInt32>
            do throws(MemberEdit<UInt32>.Refusal) {
                var changed = try MemberEdit(shown)
                try body(&changed, Members(rows: rows, unseen: Set(living).subtracting(shown)))
                edit = changed
            } catch {
                throw transaction.changeError(error)
            }
            let merged = shown == living ? edit.members : edit.merged(into: living)
            if merged == record.rows { return }
            draft.collections.update(record.identifier) { $0.rows = merged }
            transaction.markUpdated(record.identifier)
        }
    }

    private func changeError(_ refusal: MemberEdit<UInt32>.Refusal) -> ChangeError {
        switch refusal {
        case .outOfRange(let index, let count): ChangeError(.indexOutOfRange(index: index, count: count))
        case .countMismatch(let indexes, let items): ChangeError(.countMismatch(indexes: indexes, items: items))
        case .duplicate(let row): ChangeError(.duplicateAsset(draft.identifier(of: row)))
        }
    }
}
