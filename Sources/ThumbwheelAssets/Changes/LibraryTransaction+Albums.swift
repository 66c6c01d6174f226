import Foundation

extension LibraryTransaction {
    /// Makes an album, in a folder or at the top level. Titles may be empty, or as long as one likes.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable` if `folder` is no folder of the library's own.
    @discardableResult
    public mutating func createAlbum(
        title: String, in folder: (any CollectionReference)? = nil
    ) throws(ChangeError) -> CollectionPlaceholder {
        try createCollection(.album, AssetCollection.Subtype.albumRegular.rawValue, title, in: folder)
    }

    /// Puts assets at the end of an album; assets that are in it stay where they are. See
    /// <doc:Semantics#Editing-albums>.
    ///
    /// - Throws: `ChangeError` with a reason for each unknown asset, or `.collectionNotEditable`.
    public mutating func addAssets(
        _ assets: some Sequence<some AssetReference>, to album: some CollectionReference
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), nil) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            // What is in the album already, though not shown, is not added again, and so not moved.
            edit.add(members.rows.filter { !members.unseen.contains($0) })
        }
    }

    /// Puts assets at final positions, one for each; see <doc:Semantics#Editing-albums>.
    ///
    /// - Parameters:
    ///   - assets: The assets, in the order of their positions; none may be in the album.
    ///   - album: The album.
    ///   - indexes: The positions that the assets have in the end.
    ///   - result: The result that the positions refer to; nil for the album as it is now.
    /// - Throws: `ChangeError`: `.countMismatch`, `.duplicateAsset` for an asset that is in the album,
    ///   `.indexOutOfRange`.
    public mutating func insertAssets(
        _ assets: some Sequence<some AssetReference>, into album: some CollectionReference, at indexes: IndexSet,
        pinnedTo result: FetchResult<Asset>? = nil
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), result) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            try edit.insert(members.rows, at: indexes)
        }
    }

    /// Takes assets out of an album; they stay in the library. Those that are not in it are passed over.
    ///
    /// - Throws: `ChangeError`: `.collectionNotEditable`, or a reason for each unknown asset.
    public mutating func removeAssets(
        _ assets: some Sequence<some AssetReference>, from album: some CollectionReference
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), nil) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            edit.remove(members.rows)
        }
    }

    /// Takes the assets at some positions out of an album; they stay in the library.
    ///
    /// - Throws: `ChangeError`: `.indexOutOfRange`, `.collectionNotEditable`.
    public mutating func removeAssets(
        at indexes: IndexSet, from album: some CollectionReference, pinnedTo result: FetchResult<Asset>? = nil
    ) throws(ChangeError) {
        try editMembers(of: album, [Asset](), result) { edit, _ throws(MemberEdit<UInt32>.Refusal) in
            try edit.remove(at: indexes)
        }
    }

    /// Puts assets in the places of others; one that is in the album already moves.
    ///
    /// - Throws: `ChangeError`: `.countMismatch`, `.indexOutOfRange`, `.duplicateAsset` for an asset that is given
    ///   twice.
    public mutating func replaceAssets(
        at indexes: IndexSet, in album: some CollectionReference, with assets: some Sequence<some AssetReference>,
        pinnedTo result: FetchResult<Asset>? = nil
    ) throws(ChangeError) {
        try editMembers(of: album, Array(assets), result) { edit, members throws(MemberEdit<UInt32>.Refusal) in
            try edit.replace(at: indexes, with: members.rows)
        }
    }

    /// Takes assets out and puts them together at `target`, counted without them; see <doc:Semantics#Editing-albums>.
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

    /// The assets that an edit names, and the members of the album that it does not see.
    private struct Members {
        let rows: [UInt32]
        let unseen: Set<UInt32>
    }

    /// The one way in which albums change. Indexes are those of the members that a fetch without options shows: hidden and
    /// deleted ones keep their places among the others.
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
