import Thumbwheel

/// What the last transactions did, as the library's history must tell it.
struct ChangeLog {
    struct Entry {
        let insertedAssets: Set<AssetIdentifier>
        let updatedAssets: Set<AssetIdentifier>
        let deletedAssets: Set<AssetIdentifier>
        let insertedCollections: Set<CollectionIdentifier>
        let updatedCollections: Set<CollectionIdentifier>
        let deletedCollections: Set<CollectionIdentifier>
    }

    /// A point in the log, with the library's token of it.
    struct Point {
        let token: ChangeToken
        let count: Int
        /// How often the library had been loaded.
        let loadCount: Int
    }

    static let limit = 64

    private var entries: [Entry] = []
    /// Of all transactions.
    private(set) var count = 0
    private(set) var now: Point

    init(_ token: ChangeToken) {
        now = Point(token: token, count: 0, loadCount: 0)
    }

    mutating func append(_ difference: LibraryDifference, _ names: CollectionNames, _ token: ChangeToken) {
        func assets(_ numbers: Set<Int>) -> Set<AssetIdentifier> { Set(numbers.map(AssetIdentifier.init(soak:))) }
        func collections(_ nodes: Set<Int>) -> Set<CollectionIdentifier> { Set(nodes.compactMap { names[$0] }) }
        entries.append(
            Entry(
                insertedAssets: assets(difference.insertedAssets), updatedAssets: assets(difference.updatedAssets),
                deletedAssets: assets(difference.deletedAssets),
                insertedCollections: collections(difference.insertedNodes),
                updatedCollections: collections(difference.updatedNodes),
                deletedCollections: collections(difference.deletedNodes)))
        if entries.count > Self.limit { entries.removeFirst() }
        count += 1
        now = Point(token: token, count: count, loadCount: now.loadCount)
    }

    /// The library was saved at the log's end, and loaded: tokens from before the saving stay good.
    mutating func loaded(at token: ChangeToken) {
        now = Point(token: token, count: count, loadCount: now.loadCount + 1)
    }

    /// Whether a point belongs to a life of the library that was lost, because nothing was saved in it.
    func hasLost(_ point: Point) -> Bool { point.count > count || point.loadCount > now.loadCount }

    /// Whether the log reaches back to a point.
    func reaches(_ point: Point) -> Bool { count - point.count <= entries.count }

    /// Holds what the library tells a view of the time since a point against the log.
    func check(_ view: PhotoLibrary, since point: Point, sees: (AssetIdentifier) -> Bool) throws(SoakFailure) {
        let changes: [PersistentChange]
        do throws(PersistentChangeError) {
            changes = try view.fetchPersistentChanges(since: point.token)
        } catch {
            throw SoakFailure(.history, expected: "\(count - point.count) changes", seen: "\(error)")
        }
        guard changes.count == count - point.count else {
            throw SoakFailure(.history, expected: "\(count - point.count) changes", seen: "\(changes.count)")
        }
        for (change, entry) in zip(changes, entries.suffix(changes.count)) {
            do throws(PersistentChangeError) {
                let assets = try change.assetDetails()
                let collections = try change.collectionDetails()
                let isRight =
                    assets.inserted == entry.insertedAssets.filter(sees)
                    && assets.updated == entry.updatedAssets.filter(sees)
                    && assets.deleted == entry.deletedAssets.filter(sees)
                    && collections.inserted == entry.insertedCollections
                    && collections.updated == entry.updatedCollections
                    && collections.deleted == entry.deletedCollections
                guard !isRight else { continue }
            } catch {
                throw SoakFailure(.history, expected: "the details of a change", seen: "\(error)")
            }
            let assets = (try? change.assetDetails()).map { "\($0)" } ?? "no assets"
            let collections = (try? change.collectionDetails()).map { "\($0)" } ?? "no collections"
            throw SoakFailure(.history, expected: "\(entry)", seen: "\(assets), \(collections)")
        }
    }
}
