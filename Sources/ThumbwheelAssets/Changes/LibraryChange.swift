/// A change of a library between two moments, made by one or more transactions; see <doc:Semantics#Observing-changes>.
public struct LibraryChange: Sendable {
    let before: Snapshot
    let after: Snapshot
    let library: LibraryIdentity
    /// The access policy of the observer that receives this change. Each property and method of this change asks the
    /// policy when it is called, so that the observer learns only of objects that it may see at that time.
    private(set) var policy: any AccessPolicy = FullAccess()

    /// Identifies the view of the library (the library as one user may see it) whose observer receives this change. Nil
    /// until the change is prepared for an observer.
    private(set) var viewer: LibraryViewer?
    /// The assets that the observer was allowed to see before its access changed; nil if its access has not changed.
    private(set) var formerView: AccessView?

    var view: AccessView { AccessView(policy.access) }

    init(before: Snapshot, after: Snapshot, library: LibraryIdentity) {
        self.before = before
        self.after = after
        self.library = library
    }

    /// Returns a copy of this change for an observer with this access policy. The copy reports only assets that the
    /// policy lets the observer see.
    ///
    /// - Parameter viewer: identifies the observer's view of the library, which is the library as one user may see it.
    func seen(by policy: any AccessPolicy, _ viewer: LibraryViewer? = nil) -> LibraryChange {
        var change = self
        change.policy = policy
        change.viewer = viewer
        return change
    }

    /// Returns a copy of this change that also reports a change of the observer's access. Before the change, the
    /// observer could see the assets that `former` allows. After the change, it can see those that its access policy
    /// allows.
    func ofAccess(_ former: AccessView) -> LibraryChange {
        var change = self
        change.formerView = former
        return change
    }

    /// The number of transactions in the change, including those whose objects the observer may not see. It is 0 if
    /// only the observer's access has changed.
    public var transactionCount: Int { Int(after.number - before.number) }

    /// Joins this change with the next one into a single change.
    func followed(by next: LibraryChange) -> LibraryChange {
        // Usually `self` begins at the older snapshot and `next` ends at the newer one. There are two exceptions,
        // because reports that the observer's access has changed are not published in one order with transactions:
        //
        // - Such a report may be published after the change of a later transaction. If `next` is the report, `self`
        //   ends at the newer snapshot.
        // - It may be published before the change of an earlier transaction. If `self` is the report, `next` begins at
        //   the older snapshot.
        var change = LibraryChange(
            before: next.before.number < before.number ? next.before : before,
            after: next.after.number < after.number ? after : next.after, library: library)
        change.policy = policy
        change.viewer = viewer
        change.formerView = formerView ?? next.formerView
        return change
    }

    /// Returns the changes of an asset; nil if the asset has not changed or the observer may not see it.
    ///
    /// - Parameter asset: the asset in its state before the change.
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
        // The pixels differ if the picture versions differ. A picture version is an identifier of one picture of an
        // asset in a library. A detached asset belongs to no library and has no picture version. Its content version is
        // compared instead, a number that rises when the pixels change.
        if case .detached = asset.original { return now.contentVersion != asset.contentVersion }
        return now.pictureVersion() != asset.pictureVersion()
    }

    /// Returns the changes of an album; nil if there are none.
    public func changeDetails(for album: AssetCollection) -> ObjectChangeDetails<AssetCollection>? {
        // Decides whether the album in its new state has an asset count. It has one if `album` has one and the user who
        // gets this change may see all assets. The count includes every asset of the album, so a user who may see only
        // some of them must not get it.
        let seesAll = if case .all = view { album.tellsCount } else { false }
        let isRetold = seesAll && RetoldMembers(from: before, to: after).concern(album.identifier)
        return details(album, isRetold: isRetold) {
            AssetCollection($0, in: after, seesAll: seesAll, placeNames: album.placeNames)
        }
    }

    /// Returns the changes of a folder; nil if there are none.
    public func changeDetails(for folder: CollectionList) -> ObjectChangeDetails<CollectionList>? {
        details(folder) { CollectionList($0) }
    }

    private func details<Object: LibraryCollection>(
        _ object: Object, isRetold: Bool = false, _ make: (CollectionRecord) -> Object
    ) -> ObjectChangeDetails<Object>? {
        if case .nothing = view { return nil }
        guard let record = after.collections[object.identifier] else {
            guard before.collections[object.identifier] != nil else { return nil }
            return ObjectChangeDetails(
                objectBeforeChanges: object, objectAfterChanges: nil, assetContentChanged: false, objectWasDeleted: true
            )
        }
        guard isRetold || isVisiblyChanged(record, since: before.number, before) else { return nil }
        return ObjectChangeDetails(
            objectBeforeChanges: object, objectAfterChanges: make(record), assetContentChanged: false,
            objectWasDeleted: false)
    }
}
