import Dispatch
import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks

@Suite struct AccessTests {
    private struct Policy: AccessPolicy {
        var access: LibraryAccess = .full
        var unavailabilityReason: (any Error)?
        var allowing: @Sendable (ProposedChange) -> Bool = { _ in true }

        func allows(_ change: ProposedChange) -> Bool { allowing(change) }
    }

    private struct VolumeIsGone: Error {}

    private let library = PhotoLibrary()
    private let album: CollectionPlaceholder

    init() throws {
        library.add((0..<10).map { SampleAssets.asset($0, created: Double($0) * 86_400, favorite: $0 % 2 == 0) })
        album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<10).map(SampleAssets.identifier), to: album)
            return album
        }
    }

    private func limited(to numbers: [Int]) -> PhotoLibrary {
        library.view(for: Policy(access: .limited(to: Set(numbers.map(SampleAssets.identifier)))))
    }

    private func state(_ library: PhotoLibrary) -> [String] {
        library.fetchAssets().map { "\($0.localIdentifier) \($0.isFavorite) \($0.contentVersion)" }
            + library.fetchAssetCollections(with: .album).flatMap { album in
                [album.localizedTitle ?? ""] + library.fetchAssets(in: album).map(\.localIdentifier)
            }
    }

    @Test("every fetch of a limited view sees its assets and no others")
    func limitedFetches() throws {
        let view = limited(to: [2, 4, 5])
        let collection = try #require(view.fetchAssetCollections(with: .album).first)
        let favorites = try #require(
            view.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumFavorites).first)
        let everyone = (0..<10).map { SampleAssets.identifier($0).localIdentifier }
        #expect(view.fetchAssets().numbers == [2, 4, 5])
        #expect(view.countOfAssets() == 3 && view.countOfAssets(in: collection) == 3)
        #expect(view.fetchAssets(in: collection).numbers == [2, 4, 5])
        #expect(view.fetchAssets(in: favorites).numbers == [2, 4])
        #expect(view.fetchAssets(withLocalIdentifiers: everyone).numbers == [2, 4, 5])
        #expect(
            view.fetchAssets(withFileURLs: (0..<10).map { URL(filePath: "/photos/\($0 % 7)/IMG_\($0).JPG") }).numbers
                == [2, 4, 5])
        #expect(view.fetchMoments(in: .gmt).count == 3)
        #expect(view.fetchKeyAssets(in: collection).numbers == [2])
        #expect(view.fetchAssets(in: .transientAssetCollection(with: library.fetchAssets())).numbers == [2, 4, 5])
        #expect(view.fetchAssetCollectionsContaining(SampleAssets.identifier(2)).count == 1)
        #expect(view.fetchAssetCollectionsContaining(SampleAssets.identifier(3)).isEmpty)
        #expect(collection.estimatedAssetCount == nil, "it would tell of others")
        let newest = FetchOptions(
            sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)], fetchLimit: 2)
        #expect(view.fetchAssets(with: newest).numbers == [5, 4])
    }

    @Test("a limited view that empties Recently Deleted deletes none of the assets that it does not see")
    func limitedPurge() throws {
        let view = limited(to: [2, 4])
        try library.performChangesAndWait { try $0.deleteAssets([2, 3].map(SampleAssets.identifier)) }
        try view.performChangesAndWait { try $0.deleteAssetsPermanently(trashedBefore: .distantFuture) }
        try library.performChangesAndWait { try $0.restoreAssets([SampleAssets.identifier(3)]) }
        #expect(library.fetchAssets().numbers == [0, 1, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test("what a limited view is told of changes is of its assets")
    func limitedChanges() throws {
        let view = limited(to: [2, 4, 50])
        let token = view.currentChangeToken
        let result = view.fetchAssets()
        let collection = try #require(view.fetchAssetCollections(with: .album).first)
        let change = try library.changeMade { changes in
            for number in 0..<10 { try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() } }
            try changes.createAsset(SampleAssets.asset(50))
            try changes.createAsset(SampleAssets.asset(51))
            try changes.addAssets([SampleAssets.identifier(50), SampleAssets.identifier(51)], to: album)
        }
        let details = try #require(change.changeDetails(for: result))
        #expect(details.fetchResultAfterChanges.numbers == [2, 4, 50])
        #expect(details.insertedIndexes == [2] && details.changedIndexes == [0, 1])
        #expect(change.changeDetails(for: collection)?.objectAfterChanges?.estimatedAssetCount == nil)
        let history = try #require(try view.fetchPersistentChanges(since: token).first).assetDetails()
        #expect(history.updated == Set([2, 4].map(SampleAssets.identifier)))
        #expect(history.inserted == [SampleAssets.identifier(50)])
        // Indexes are those of what it sees.
        try view.performChangesAndWait { try $0.removeAssets(at: [1], from: album) }
        #expect(
            try library.fetchAssets(in: #require(library.fetchAssetCollections(with: .album).first)).numbers
                == [0, 1, 2, 3, 5, 6, 7, 8, 9, 50, 51])
    }

    @Test(
        "a view that may only add sees nothing, changes nothing, and may do with its own what it likes while it makes it"
    )
    func addOnly() throws {
        let view = library.view(for: Policy(access: .addOnly))
        let before = state(library)
        let first = SampleAssets.identifier(0)
        let refused: [(inout LibraryTransaction) throws -> Void] = [
            { try $0.edit(first) { $0.isFavorite.toggle() } }, { try $0.deleteAssets([first]) },
            { try $0.deleteAssetsPermanently(trashedBefore: .distantFuture) }, { try $0.createAlbum(title: "x") },
            { try $0.createFolder(title: "x") }, { [album] in try $0.setTitle("x", of: album) },
            { [album] in try $0.addAssets([first], to: album) }, { [album] in try $0.deleteCollections([album]) },
            { try $0.revertToOriginal(first) }, { try $0.restoreAssets([first]) },
        ]
        for edit in refused {
            #expect(throws: ChangeError(.accessUserDenied)) { try view.performChangesAndWait { try edit(&$0) } }
        }
        #expect(state(library) == before)
        #expect(view.fetchAssets().isEmpty && view.fetchAssetCollections(with: .smartAlbum).isEmpty)
        #expect(view.fetchTopLevelUserCollections().isEmpty && view.countOfAssets() == 0)
        #expect(view.asset(withIdentifier: first) == nil)
        try view.performChangesAndWait { changes in
            let mine = try changes.createAsset(SampleAssets.asset(60))
            try changes.edit(mine) { $0.isFavorite = true }
        }
        #expect(library.asset(withIdentifier: SampleAssets.identifier(60))?.isFavorite == true)
        #expect(throws: ChangeError(.accessUserDenied)) {
            try view.performChangesAndWait { try $0.edit(SampleAssets.identifier(60)) { $0.isFavorite = false } }
        }
    }

    @Test("an import changes only what its view may change")
    func imports() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        try folder.write("b.png", TinyImages.png(4, 3))
        try folder.write("c.png", TinyImages.png(4, 3))
        let library = PhotoLibrary()
        let assets = try await library.importFolder(at: folder.path).added
        try folder.write("a.png", TinyImages.png(9, 9) + [0])
        try FileManager.default.removeItem(atPath: folder.path + "/b.png")
        try FileManager.default.removeItem(atPath: folder.path + "/c.png")
        try folder.write("d.png", TinyImages.png(5, 5))
        let adding = library.view(for: Policy(access: .addOnly))
        let report = try await adding.importFolder(at: folder.path)
        #expect(report.added.map(\.originalFilename) == ["d.png"])
        #expect(report.changed.isEmpty && report.removed.isEmpty)
        #expect(library.fetchAssets().map(\.pixelWidth) == [4, 4, 4, 5])
        let view = library.view(for: Policy(access: .limited(to: [assets[1].identifier])))
        let second = try await view.importFolder(at: folder.path)
        #expect(second.removed.map(\.originalFilename) == ["b.png"] && second.changed.isEmpty)
        #expect(library.fetchAssets().map(\.originalFilename) == ["a.png", "c.png", "d.png"])
    }

    @Test(
        "a policy is shown what a transaction is about to do, while nothing has changed, and its refusal leaves it so")
    func proposals() throws {
        let seen = Mutex<[ProposedChange]>([])
        let before = state(library)
        let view = library.view(
            for: Policy(allowing: { [library] change in
                seen.withLock { $0.append(change) }
                return library.fetchAssets().count > 100
            }))
        let token = library.currentChangeToken
        #expect(throws: ChangeError(.accessUserDenied)) {
            try view.performChangesAndWait { changes in
                try changes.createAsset(SampleAssets.asset(70))
                try changes.edit(SampleAssets.identifier(1)) { $0.isFavorite.toggle() }
                try changes.deleteAssets([SampleAssets.identifier(2), SampleAssets.identifier(3)])
                try changes.deleteAssetsPermanently([SampleAssets.identifier(3)])
                // Made and gone within the transaction: as if it had not been.
                try changes.createAsset(SampleAssets.asset(71))
                try changes.deleteAssets([SampleAssets.identifier(71)])
                try changes.deleteAssetsPermanently([SampleAssets.identifier(71)])
                let folder = try changes.createFolder(title: "folder")
                try changes.deleteCollections([folder])
                try changes.setTitle("new", of: album)
            }
        }
        let change = try #require(seen.withLock { $0.first })
        #expect(change.createdAssets == [SampleAssets.identifier(70)])
        #expect(change.updatedAssets == [SampleAssets.identifier(1), SampleAssets.identifier(2)])
        #expect(change.trashedAssets == [SampleAssets.identifier(2)])
        #expect(change.deletedAssets == [SampleAssets.identifier(3)])
        #expect(change.createdCollections.isEmpty && change.deletedCollections.isEmpty)
        #expect(change.updatedCollections == [album.identifier])
        #expect(state(library) == before && library.currentChangeToken == token)
    }

    @Test("an unavailable library refuses to be changed, says why, is still read, and comes back")
    func availability() throws {
        final class Observer: PhotoLibraryAvailabilityObserver {
            let told = DispatchSemaphore(value: 0)

            func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary) {
                if library.unavailabilityReason is VolumeIsGone { told.signal() }
            }
        }
        let observer = Observer()
        let registration = library.register(observer)
        let states = Mutex<[Bool]>([])
        let arrived = DispatchSemaphore(value: 0)
        let observation = library.observeAvailability { reason in
            states.withLock { $0.append(reason == nil) }
            arrived.signal()
        }
        defer { observation.cancel() }
        library.setUnavailable(because: VolumeIsGone())
        observer.told.wait()
        arrived.wait()
        let view = limited(to: [1])
        #expect(view.unavailabilityReason is VolumeIsGone && view.fetchAssets().count == 1)
        #expect(throws: ChangeError(.libraryUnavailable)) {
            try view.performChangesAndWait { try $0.createAsset(SampleAssets.asset(80)) }
        }
        #expect(library.add([SampleAssets.asset(81)]) == 0)
        library.setUnavailable(because: nil)
        arrived.wait()
        #expect(library.unavailabilityReason == nil && library.add([SampleAssets.asset(82)]) == 1)
        #expect(states.withLock { $0 } == [false, true])
        registration.cancel()
        let offline = library.view(for: Policy(unavailabilityReason: VolumeIsGone()))
        #expect(offline.unavailabilityReason is VolumeIsGone && library.unavailabilityReason == nil)
        #expect(throws: ChangeError(.libraryUnavailable)) { try offline.performChangesAndWait { _ in } }
    }
}
