import Foundation

/// Describes a fetch of collections: where it searches, its options, and the user's view of the library. The fetch
/// result stores the query, so that the fetch can be repeated to find changes.
struct CollectionQuery: Sendable {
    enum Source: Sendable {
        case children(of: CollectionIdentifier)
        case items([CollectionItem])
        case identifiers([CollectionIdentifier])
        case albums(AssetCollection.Subtype)
        case smartAlbums(AssetCollection.Subtype)
        /// The moments of the days in this time zone that begin within the range; all moments in the time zone if the
        /// range is nil. The bounds of the range are in seconds since the reference date.
        case moments(TimeZone, within: Range<Double>?)
        case momentsContaining(AssetIdentifier, TimeZone)
        case momentLists(TimeZone, CollectionList.Subtype)
        case folders(CollectionList.Subtype)
        case albumsContaining(AssetIdentifier)
        case folderContaining(CollectionIdentifier)
    }

    let source: Source
    let options: CollectionFetchOptions
    var view: AccessView
    /// The view of the library (the library as one user may see it) from which the collections were fetched.
    let viewer: LibraryViewer
    /// Assets that were added after this date count as recently added.
    let addedSince: Date
    let placeNames: PlaceNames?
    /// The number of the snapshot (the state of the library) from which the result was fetched.
    private(set) var number: UInt64 = 0
    /// That snapshot, if the user may see only some assets; nil otherwise. With it, a later change finds out whether an
    /// album has changed for this user.
    private(set) var limitedSnapshot: Snapshot?

    init(
        source: Source, options: CollectionFetchOptions, view: AccessView, viewer: LibraryViewer, addedSince: Date,
        placeNames: PlaceNames?, in snapshot: Snapshot
    ) {
        (self.source, self.options, self.view, self.viewer) = (source, options, view, viewer)
        (self.addedSince, self.placeNames) = (addedSince, placeNames)
        pin(to: snapshot)
    }

    /// Makes this the query of a result that is fetched from a snapshot.
    mutating func pin(to snapshot: Snapshot) {
        number = snapshot.number
        limitedSnapshot = if case .limited = view { snapshot } else { nil }
    }

    func items(in snapshot: Snapshot) -> [CollectionItem] {
        if case .nothing = view { return [] }
        return options.apply(candidates(in: snapshot))
    }

    private func candidates(in snapshot: Snapshot) -> [CollectionItem] {
        let table = snapshot.collections
        switch source {
        case .children(let identifier):
            return (table[identifier]?.children ?? []).compactMap { table[$0].map { item($0, snapshot) } }
        case .items(let items):
            return items.compactMap { item in
                table[item.identifier].map { self.item($0, snapshot) } ?? (item.identifier.isOfUneditable ? item : nil)
            }
        case .identifiers(let identifiers):
            var seen: Set<CollectionIdentifier> = []
            return identifiers.filter { seen.insert($0).inserted && $0 != .root }.compactMap { identifier in
                if let smart = SmartAlbum.with(identifier) { return .album(smart.collection(addedSince: addedSince)) }
                return table[identifier].map { item($0, snapshot) }
            }
        case .albums(let subtype):
            return table.records.filter { !$0.isFolder && (subtype == .any || $0.subtype == subtype.rawValue) }
                .map { item($0, snapshot) }
        case .smartAlbums(let subtype):
            // Finds all smart albums if the subtype is `.any` or `.albumRegular`, and otherwise the smart album with
            // the given subtype. `.albumRegular` is the subtype of ordinary albums. PhotoKit treats it in this way too,
            // and many programs rely on this.
            return SmartAlbum.allCases.filter { [.any, .albumRegular, $0.subtype].contains(subtype) }
                .map { .album($0.collection(addedSince: addedSince)) }
        case .moments(let timeZone, let stretch):
            return moments(timeZone, snapshot).filter { moment in
                guard let stretch, case .moment(let start, _) = moment.content else { return true }
                return stretch.contains(start)
            }.map(\.item)
        case .momentsContaining(let identifier, let timeZone):
            guard let row = visibleRow(identifier, snapshot), !snapshot.flag(.hidden, of: row),
                let date = snapshot.asset(at: row).creationDate?.timeIntervalSinceReferenceDate
            else { return [] }
            return moments(timeZone, snapshot).filter { moment in
                guard case .moment(let start, let end) = moment.content else { return false }
                return start <= date && date < end
            }.map(\.item)
        case .momentLists(let timeZone, let subtype):
            return MomentLists(timeZone: timeZone).lists(moments(timeZone, snapshot), subtype).map(\.item)
        case .folders(let subtype):
            return table.records.filter { $0.isFolder && (subtype == .any || $0.subtype == subtype.rawValue) }
                .map { item($0, snapshot) }
        case .albumsContaining(let identifier):
            guard let row = visibleRow(identifier, snapshot) else { return [] }
            return table.records.filter { !$0.isFolder && $0.rows.contains(row) }.map { item($0, snapshot) }
        case .folderContaining(let identifier):
            guard let parent = table[identifier]?.parent, parent != .root else { return [] }
            return table[parent].map { [item($0, snapshot)] } ?? []
        }
    }

    private func item(_ record: CollectionRecord, _ snapshot: Snapshot) -> CollectionItem {
        if record.isFolder { return .folder(CollectionList(record)) }
        let seesAll = if case .all = view { true } else { false }
        return .album(AssetCollection(record, in: snapshot, seesAll: seesAll, placeNames: placeNames))
    }

    private func visibleRow(_ identifier: AssetIdentifier, _ snapshot: Snapshot) -> UInt32? {
        guard view.sees(identifier), let row = snapshot.row(of: identifier), !snapshot.flag(.trashed, of: row) else {
            return nil
        }
        return row
    }

    private func moments(_ timeZone: TimeZone, _ snapshot: Snapshot) -> [AssetCollection] {
        let order = [AssetSortDescriptor(.creationDate)]
        let query = AssetQuery(source: .library, options: FetchOptions(sortDescriptors: order), view: view)
        let rows = AssetSelection(query, in: snapshot).rows()
        return Moments(timeZone: timeZone, placeNames: placeNames).collections(rows, snapshot)
    }
}
