/// A change of a library from one moment to another, by one transaction or several; see
/// <doc:Semantics#Observing-changes>.
public struct LibraryChange: Sendable {
    let before: Snapshot
    let after: Snapshot
    let library: LibraryIdentity
    /// The access policy of the receiver. It is asked whenever the receiver reads the change. So the receiver learns
    /// only about objects that it may see at the time of reading.
    private(set) var policy: any AccessPolicy = FullAccess()

    /// The view of the receiver; nil for a change that no view has received.
    private(set) var viewer: LibraryViewer?
    /// What the receiver's view saw before its access changed; nil if the change is not of its access.
    private(set) var formerView: AccessView?

    var view: AccessView { AccessView(policy.access) }

    init(before: Snapshot, after: Snapshot, library: LibraryIdentity) {
        self.before = before
        self.after = after
        self.library = library
    }

    /// The same change, as a receiver with `policy` sees it.
    func seen(by policy: any AccessPolicy, _ viewer: LibraryViewer? = nil) -> LibraryChange {
        var change = self
        change.policy = policy
        change.viewer = viewer
        return change
    }

    /// The same change for a receiver whose view saw `former` before.
    func ofAccess(_ former: AccessView) -> LibraryChange {
        var change = self
        change.formerView = former
        return change
    }

    /// The number of transactions that the change covers, including those of which a limited view sees nothing; 0 if only the
    /// view's access has changed.
    public var transactionCount: Int { Int(after.number - before.number) }

    /// Joins this change with the change that came after it.
    func followed(by next: LibraryChange) -> LibraryChange {
        // A change of access may have been put after a later transaction's.
        var change = LibraryChange(
            before: before, after: next.after.number < after.number ? after : next.after, library: library)
        change.policy = policy
        change.viewer = viewer
        change.formerView = formerView ?? next.formerView
        return change
    }

    /// The changes of an asset; nil if the asset is unchanged or the receiver may not see it.
    ///
    /// - Parameter asset: the asset as it was before the change.
    public func changeDetails(for asset: Asset) -> ObjectChangeDetails<Asset>? {
        guard view.sees(asset.identifier) else { return nil }
        guard let row = after.row(of: asset.identifier) else {
            guard before.row(of: asset.identifier) != nil else { return nil }
            return ObjectChangeDetails(
                objectBeforeChanges: asset, objectAfterChanges: nil, assetContentChanged: false, objectWasDeleted: true)
        }
        let changeNumber = after.chunks[Chunk.index(of: row)].columns.changeNumber(at: Chunk.slot(of: row))
        let known =
            switch asset.original {
            case .row(let chunk, let slot): chunk.columns.changeNumber(at: Int(slot))
            case .detached: before.number
            }
        guard changeNumber > known else { return nil }
        let now = after.asset(at: row)
        return ObjectChangeDetails(
            objectBeforeChanges: asset, objectAfterChanges: now,
            assetContentChanged: Self.differ(asset, now), objectWasDeleted: false)
    }

    private static func differ(_ asset: Asset, _ now: Asset) -> Bool {
        // A detached asset, which is outside any library, has no picture version of this library. So the content
        // versions are compared.
        if case .detached = asset.original { return now.contentVersion != asset.contentVersion }
        return now.pictureVersion() != asset.pictureVersion()
    }

    /// The changes of an album; nil if there are none.
    public func changeDetails(for album: AssetCollection) -> ObjectChangeDetails<AssetCollection>? {
        // The count of assets is given only if the old album had one and the receiver may still see all assets.
        let seesAll = if case .all = view { album.estimatedAssetCount != nil } else { false }
        return details(album) { AssetCollection($0, in: after, seesAll: seesAll, placeNames: album.placeNames) }
    }

    /// The changes of a folder; nil if there are none.
    public func changeDetails(for folder: CollectionList) -> ObjectChangeDetails<CollectionList>? {
        details(folder) { CollectionList($0) }
    }

    private func details<Object: LibraryCollection>(
        _ object: Object, _ make: (CollectionRecord) -> Object
    ) -> ObjectChangeDetails<Object>? {
        if case .nothing = view { return nil }
        guard let record = after.collections[object.identifier] else {
            guard before.collections[object.identifier] != nil else { return nil }
            return ObjectChangeDetails(
                objectBeforeChanges: object, objectAfterChanges: nil, assetContentChanged: false, objectWasDeleted: true
            )
        }
        guard isVisiblyChanged(record, since: before.number) else { return nil }
        return ObjectChangeDetails(
            objectBeforeChanges: object, objectAfterChanges: make(record), assetContentChanged: false,
            objectWasDeleted: false)
    }
}
