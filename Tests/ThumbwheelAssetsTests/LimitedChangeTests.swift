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

    @Test("a view that is widened and narrowed while it is used tells its own observers what appears and disappears")
    func changingAccess() async throws {
        let policy = Policy([1, 2])
        let view = library.view(for: policy)
        let other = library.view(for: Policy([1]))
        let (seen, others) = (view.fetchAssets(), other.fetchAssets())
        let inAlbum = view.fetchAssets(in: view.fetchAssetCollections(with: .album)[0])
        let toldOthers = Mutex(0)
        let arrived = DispatchSemaphore(value: 0)
        let observations = [library, other].map { $0.observeChanges { _ in toldOthers.withLock { $0 += 1 } } }
        let changes = Mutex<[LibraryChange]>([])
        let observation = view.observeChanges { change in
            changes.withLock { $0.append(change) }
            arrived.signal()
        }
        // Nothing has changed.
        view.accessDidChange()
        // Widened, and narrowed at one end.
        policy.set(.limited(to: Set([2, 3, 4].map { SampleAssets.identifier($0) })))
        view.accessDidChange()
        Self.wait(for: arrived)
        let change = try #require(changes.withLock { $0.count == 1 ? $0[0] : nil })
        #expect(change.isAccessChanged && change.transactionCount == 0)
        #expect(change.assetsThatAppeared == [3, 4].map { SampleAssets.identifier($0) })
        #expect(change.assetsThatDisappeared == [SampleAssets.identifier(1)] && change.assetsWithLostContents.isEmpty)
        for result in [seen, inAlbum] {
            let details = try #require(change.changeDetails(for: result))
            #expect(details.fetchResultAfterChanges.numbers == [2, 3, 4])
            #expect(details.removedIndexes == [0] && details.insertedIndexes == [1, 2] && details.changedIndexes == [])
            #expect(details.applied() == Array(details.fetchResultAfterChanges))
            #expect(change.changeDetails(for: details.fetchResultAfterChanges) == nil)
        }
        // A result of another view shows no more than that view, and only what this one sees.
        #expect(change.changeDetails(for: others)?.fetchResultAfterChanges.isEmpty == true)
        // To everything: albums have counts again.
        let albums = view.fetchAssetCollections(with: .album)
        policy.set(.full)
        view.accessDidChange()
        Self.wait(for: arrived)
        let last = try #require(changes.withLock { $0.last })
        #expect(last.assetsThatAppeared.count == 7 && last.assetsThatDisappeared.isEmpty)
        #expect(last.changeDetails(for: seen)?.fetchResultAfterChanges.count == 10)
        #expect(last.changeDetails(for: albums)?.fetchResultAfterChanges[0].estimatedAssetCount == 10)
        // To nothing: all is gone.
        policy.set(.addOnly)
        view.accessDidChange()
        Self.wait(for: arrived)
        let end = try #require(changes.withLock { $0.last })
        #expect(end.changeDetails(for: seen)?.removedIndexes == [0, 1] && end.assetsThatDisappeared.count == 10)
        #expect(end.changeDetails(for: albums)?.fetchResultAfterChanges.isEmpty == true)
        #expect(toldOthers.withLock { $0 } == 0)
        observation.cancel()
        for observation in observations { observation.cancel() }
    }

    @Test("a change of access and transactions are joined into one change that ends at the latest state")
    func joined() throws {
        let policy = Policy([1])
        let view = library.view(for: policy)
        let seen = view.fetchAssets()
        let mailbox = ChangeMailbox {}
        let transaction = try library.changeMade { try $0.edit(SampleAssets.identifier(1)) { $0.isFavorite = true } }
        let former = LibraryChange(before: transaction.before, after: transaction.before, library: transaction.library)
        // The change of access was made before the transaction and arrives after it.
        mailbox.put(transaction)
        mailbox.put(former.ofAccess(.limited([SampleAssets.identifier(1)])))
        policy.set(.limited(to: Set([1, 2].map { SampleAssets.identifier($0) })))
        let change = try #require(mailbox.take()).seen(by: policy, view.viewer)
        #expect(change.transactionCount == 1 && change.assetsThatAppeared == [SampleAssets.identifier(2)])
        let details = try #require(change.changeDetails(for: seen))
        #expect(details.fetchResultAfterChanges.map(\.isFavorite) == [true, false] && details.insertedIndexes == [1])
        #expect(details.changedIndexes == [0])
    }

    @Test("a change that an access report overtook is in the joined change nevertheless")
    func overtaken() throws {
        let policy = Policy([1])
        let view = library.view(for: policy)
        let albums = library.fetchAssetCollections(with: .album)
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        let transaction = try library.changeMade { changes in
            try changes.setAdjusted(
                SampleAssets.identifier(1), rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
            try changes.setTitle("title", of: album)
        }
        // The report was made after the transaction, and arrives before its change.
        let report = LibraryChange(before: transaction.after, after: transaction.after, library: transaction.library)
        let mailbox = ChangeMailbox {}
        mailbox.put(report.ofAccess(.limited([])))
        mailbox.put(transaction)
        let change = try #require(mailbox.take()).seen(by: policy, view.viewer)
        #expect(change.transactionCount == 1 && change.isAccessChanged)
        #expect(change.assetsWithLostContents == [SampleAssets.identifier(1)])
        #expect(change.changeDetails(for: albums[0])?.objectAfterChanges?.localizedTitle == "title")
    }

    @Test("a result from before an earlier change is told of an album by what its view saw and sees")
    func olderResults() throws {
        let policy = Policy([1, 2])
        let view = library.view(for: policy)
        let older = view.fetchAssetCollections(with: .album)
        func change(_ body: (inout LibraryTransaction) throws -> Void) throws -> LibraryChange {
            try library.changeMade(body).seen(by: policy, view.viewer)
        }
        _ = try change { try $0.removeAssets([SampleAssets.identifier(5)], from: album) }
        let hidden = try change { try $0.removeAssets([SampleAssets.identifier(6)], from: album) }
        #expect(hidden.changeDetails(for: older) == nil)
        _ = try change { try $0.removeAssets([SampleAssets.identifier(2)], from: album) }
        let last = try change { try $0.edit(SampleAssets.identifier(7)) { $0.isFavorite = true } }
        #expect(last.changeDetails(for: older)?.changedIndexes == [0])
    }

    @Test("an album does not change for a view that sees none of the assets that come into it or leave it")
    func invisibleMembers() throws {
        let policy = Policy([1, 2])
        let view = library.view(for: policy)
        let albums = view.fetchAssetCollections(with: .album)
        func change(_ body: (inout LibraryTransaction) throws -> Void) throws -> LibraryChange {
            try library.changeMade(body).seen(by: policy, view.viewer)
        }
        let hidden = try change { try $0.removeAssets([SampleAssets.identifier(5)], from: album) }
        #expect(hidden.changeDetails(for: albums[0]) == nil && hidden.changeDetails(for: albums) == nil)
        #expect(hidden.seen(by: FullAccess()).changeDetails(for: albums[0]) != nil)
        let shown = try change { try $0.removeAssets([SampleAssets.identifier(2)], from: album) }
        #expect(shown.changeDetails(for: albums[0]) != nil)
        #expect(shown.changeDetails(for: view.fetchAssetCollections(with: .album)) == nil)
        let named = try change { try $0.setTitle("other", of: album) }
        #expect(named.changeDetails(for: albums[0])?.objectAfterChanges?.localizedTitle == "other")
    }
}
