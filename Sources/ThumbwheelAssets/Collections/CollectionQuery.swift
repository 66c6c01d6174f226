import Foundation

/// What a fetch of collections asked for: kept by its result, so that a change can be told in its terms.
struct CollectionQuery: Sendable {
    enum Source: Sendable {
        case children(of: CollectionIdentifier)
        case items([CollectionItem])
        case identifiers([CollectionIdentifier])
        case albums(AssetCollection.Subtype)
        case smartAlbums(AssetCollection.Subtype)
        case moments(TimeZone)
        case folders(CollectionList.Subtype)
        case albumsContaining(AssetIdentifier)
        case folderContaining(CollectionIdentifier)
    }

    let source: Source
    let options: CollectionFetchOptions
    let view: AccessView
    /// When what counts as recently added begins.
    let addedSince: Date
    /// Of the snapshot that the result is from.
    var number: UInt64 = 0

    func items(in snapshot: Snapshot) -> [CollectionItem] {
        if case .nothing = view { return [] }
        return options.apply(candidates(in: snapshot))
    }

    private func candidates(in snapshot: Snapshot) -> [CollectionItem] {
        let table = snapshot.collections
        switch source {
        case .children(let identifier):
            return (table[identifier]?.children ?? []).compactMap { table[$0].map(CollectionItem.init) }
        case .items(let items):
            return items.map { item in table[item.identifier].map(CollectionItem.init) ?? item }
        case .identifiers(let identifiers):
            var seen: Set<CollectionIdentifier> = []
            return identifiers.filter { seen.insert($0).inserted && $0 != .root }.compactMap { identifier in
                if let smart = SmartAlbum.with(identifier) { return .album(smart.collection(addedSince: addedSince)) }
                return table[identifier].map(CollectionItem.init)
            }
        case .albums(let subtype):
            return table.records.filter { !$0.isFolder && (subtype == .any || $0.subtype == subtype.rawValue) }
                .map(CollectionItem.init)
        case .smartAlbums(let subtype):
            return SmartAlbum.allCases.filter { subtype == .any || $0.subtype == subtype }
                .map { .album($0.collection(addedSince: addedSince)) }
        case .moments(let timeZone):
            let order = [AssetSortDescriptor(.creationDate)]
            let query = AssetQuery(source: .library, options: FetchOptions(sortDescriptors: order), view: view)
            let rows = AssetSelection(query, in: snapshot).rows()
            return DayClusters(timeZone: timeZone).collections(rows, snapshot).map { .album($0) }
        case .folders(let subtype):
            return table.records.filter { $0.isFolder && (subtype == .any || $0.subtype == subtype.rawValue) }
                .map(CollectionItem.init)
        case .albumsContaining(let identifier):
            guard let row = snapshot.row(of: identifier) else { return [] }
            return table.records.filter { !$0.isFolder && $0.rows.contains(row) }.map(CollectionItem.init)
        case .folderContaining(let identifier):
            guard let parent = table[identifier]?.parent, parent != .root else { return [] }
            return table[parent].map { [CollectionItem($0)] } ?? []
        }
    }
}

extension CollectionItem {
    init(_ record: CollectionRecord) {
        self = record.isFolder ? .folder(CollectionList(record)) : .album(AssetCollection(record))
    }
}
