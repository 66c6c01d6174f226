import Dispatch
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

@Suite("Changes seen by limited views") struct LimitedChangeTests {
    /// A policy whose visible assets a test sets.
    private final class Policy: AccessPolicy {
        private let state: Mutex<LibraryAccess>

        init(_ numbers: [Int]) {
            state = Mutex(.limited(to: Set(numbers.map { SampleAssets.identifier($0) })))
        }

        var access: LibraryAccess { state.withLock { $0 } }

        func set(_ access: LibraryAccess) { state.withLock { $0 = access } }
    }

    private let library = PhotoLibrary()
    private let album: CollectionPlaceholder

    init() throws {
        library.add((0..<10).map { SampleAssets.asset($0) })
        album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<10).map { SampleAssets.identifier($0) }, to: album)
            return album
        }
    }

    /// The changes that a view's observer and its loop receive for one transaction.
    private func told(
        _ view: PhotoLibrary, _ body: (inout LibraryTransaction) throws -> Void
    ) async throws -> [LibraryChange] {
        let changes = Mutex<[LibraryChange]>([])
        let arrived = DispatchSemaphore(value: 0)
        let observation = view.observeChanges { change in
            changes.withLock { $0.append(change) }
            arrived.signal()
        }
        var loop = view.changes.makeAsyncIterator()
        try Self.change(library, body)
        Self.wait(for: arrived)
        observation.cancel()
        return try changes.withLock { $0 } + [#require(await loop.next())]
    }

    private static func change(_ library: PhotoLibrary, _ body: (inout LibraryTransaction) throws -> Void) throws {
        try library.performChangesAndWait(body)
    }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test("a view's changes do not mention assets that it may not see")
    func changes() async throws {
        let policy = Policy([1, 2])
        let view = library.view(for: policy)
        let (all, seen) = (library.fetchAssets(), view.fetchAssets())
        let collection = library.fetchAssetCollections(with: .album)[0]
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        let changes = try await told(view) { changes in
            for number in 1...4 {
                try changes.setAdjusted(
                    SampleAssets.identifier(number), rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
            }
            try changes.setTitle("title", of: album)
        }
        try #require(changes.count == 2)
        for change in changes {
            #expect(change.assetsWithLostContents == [1, 2].map { SampleAssets.identifier($0) })
            #expect(change.changeDetails(for: all[1])?.assetContentChanged == true)
            #expect(change.changeDetails(for: all[3]) == nil)
            // A result that also holds invisible assets learns about its visible rest.
            for result in [all, FetchResult(Array(all))] {
                let details = try #require(change.changeDetails(for: result))
                #expect(details.fetchResultAfterChanges.numbers == [1, 2])
                #expect(details.applied().map(\.identifier) == details.fetchResultAfterChanges.map(\.identifier))
            }
            #expect(try #require(change.changeDetails(for: seen)).changedIndexes == [0, 1])
            let after = try #require(change.changeDetails(for: collection)?.objectAfterChanges)
            #expect(after.localizedTitle == "title" && after.estimatedAssetCount == nil)
        }
    }

    @Test("a view's changes do not mention assets that it may no longer see")
    func takenAway() async throws {
        let policy = Policy([1, 2])
        let view = library.view(for: policy)
        let seen = view.fetchAssets()
        let albums = view.fetchAssetCollections(with: .album)
        let changes = try await told(view) { changes in
            for number in 1...2 { try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite = true } }
            try changes.setTitle("title", of: album)
        }
        policy.set(.limited(to: [SampleAssets.identifier(2)]))
        for change in changes {
            #expect(change.changeDetails(for: seen[0]) == nil)
            #expect(change.changeDetails(for: seen[1])?.objectAfterChanges?.isFavorite == true)
            let details = try #require(change.changeDetails(for: seen))
            #expect(details.fetchResultAfterChanges.numbers == [2] && details.removedIndexes == [0])
        }
        policy.set(.addOnly)
        for change in changes {
            #expect(change.changeDetails(for: seen[1]) == nil && change.changeDetails(for: albums[0]) == nil)
            #expect(try #require(change.changeDetails(for: seen)).fetchResultAfterChanges.isEmpty)
            #expect(try #require(change.changeDetails(for: albums)).fetchResultAfterChanges.isEmpty)
            #expect(change.assetsWithLostContents.isEmpty)
        }
    }
}
