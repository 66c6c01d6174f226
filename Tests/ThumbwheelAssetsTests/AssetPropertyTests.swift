import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite("What a library tells of its assets and collections") struct AssetPropertyTests {
    private let clock: Clock
    private let library: PhotoLibrary

    init() {
        let clock = Clock()
        self.clock = clock
        library = PhotoLibrary(now: { clock.now })
    }

    private func asset(_ asset: some AssetReference) throws -> Asset {
        try #require(library.asset(withIdentifier: asset.identifier))
    }

    @Test(
        "each change of an asset moves its modification date; a change to the present value moves nothing and tells nobody"
    )
    func modificationDate() throws {
        clock.now = Date(timeIntervalSinceReferenceDate: 100)
        let created = try library.performChangesAndWait { try $0.createAsset(from: [.bytes(TinyImages.png(4, 3))]) }
        let added = try #require(asset(created).addedDate)
        #expect(added == clock.now)
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        let changes: [(inout LibraryTransaction) throws -> Void] = [
            { try $0.edit(created) { $0.isFavorite = true } }, { try $0.edit(created) { $0.isHidden = true } },
            { try $0.edit(created) { $0.creationDate = Date(timeIntervalSinceReferenceDate: 7) } },
            { try $0.edit(created) { $0.location = Location(latitude: 1, longitude: 2) } },
            { try $0.setAdjusted(created, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe) },
            { try $0.revertToOriginal(created) },
        ]
        for (number, change) in changes.enumerated() {
            clock.now = Date(timeIntervalSinceReferenceDate: 200 + Double(number))
            try library.performChangesAndWait { try change(&$0) }
            #expect(try asset(created).modificationDate == clock.now && asset(created).addedDate == added, "\(number)")
            guard number < 4 else { continue }
            // The same once more.
            let token = library.currentChangeToken
            let date = clock.now
            clock.now = .distantFuture
            try library.performChangesAndWait { try change(&$0) }
            #expect(try asset(created).modificationDate == date && library.currentChangeToken == token, "\(number)")
        }
    }

    @Test("an asset allows what its origin and its kind allow")
    func operations() throws {
        func allowed(_ asset: Asset) -> [AssetEditOperation] { AssetEditOperation.allCases.filter(asset.canPerform) }
        #expect(allowed(SampleAssets.asset(1)) == [.delete, .content, .properties])
        #expect(allowed(SampleAssets.asset(1, type: .video)) == [.delete, .properties])
        #expect(allowed(SampleAssets.asset(1, source: .cloudShared)) == [])
        #expect(allowed(SampleAssets.asset(1, source: .iTunesSynced)) == [])
    }

    @Test("the library names no other representative when that of a burst is deleted")
    func burst() throws {
        library.add([
            SampleAssets.asset(1, burst: "b"), SampleAssets.asset(2, burst: "b", represents: true),
            SampleAssets.asset(3, burst: "b", picks: .userPick), SampleAssets.asset(4, burst: "b"),
        ])
        #expect(library.fetchAssets().numbers == [2, 3])
        try library.performChangesAndWait { try $0.deleteAssets([SampleAssets.identifier(2)]) }
        #expect(library.fetchAssets().numbers == [3] && library.fetchAssets(withBurstIdentifier: "b").numbers == [3])
        let all = FetchOptions(includeAllBurstAssets: true)
        #expect(library.fetchAssets(withBurstIdentifier: "b", options: all).numbers == [1, 3, 4])
        #expect(library.fetchAssets(with: all).allSatisfy { !$0.representsBurst })
    }

    @Test("fetches of what is not there are empty, and end in no error")
    func nothing() throws {
        library.add([SampleAssets.asset(1, created: 5)])
        let (album, folder) = try library.performChangesAndWait { changes in
            (try changes.createAlbum(title: "album"), try changes.createFolder(title: "folder"))
        }
        let goneAlbum = try #require(library.fetchAssetCollections(with: .album).first)
        let goneFolder = try #require(library.fetchCollectionLists(with: .folder).first)
        #expect(library.fetchAssets(in: goneAlbum).isEmpty && library.fetchCollections(in: goneFolder).isEmpty)
        try library.performChangesAndWait { try $0.deleteCollections([album, folder]) }
        #expect(library.fetchAssets(in: goneAlbum).isEmpty && library.fetchCollections(in: goneFolder).isEmpty)
        #expect(library.fetchKeyAssets(in: goneAlbum).isEmpty && library.countOfAssets(in: goneAlbum) == 0)
        let none = ["", "none", SampleAssets.identifier(9).localIdentifier, goneAlbum.localIdentifier]
        #expect(library.fetchAssets(withLocalIdentifiers: none).isEmpty)
        #expect(library.fetchAssetCollections(withLocalIdentifiers: none).isEmpty)
        #expect(library.fetchCollectionLists(withLocalIdentifiers: none).isEmpty)
        #expect(library.fetchAssets(withBurstIdentifier: "none").isEmpty)
        #expect(library.fetchAssets(withFileURLs: [URL(filePath: "/nowhere/a.jpg")]).isEmpty)
        #expect(library.fetchAssets(with: .audio).isEmpty)
        #expect(library.fetchAssetCollections(with: .album).isEmpty && library.fetchTopLevelUserCollections().isEmpty)
        #expect(library.fetchAssetCollectionsContaining(SampleAssets.identifier(9)).isEmpty)
        #expect(library.fetchCollectionListsContaining(goneAlbum).isEmpty)
        let predicate = try AssetPredicate(PredicateFormat("pixelWidth > 1000000"))
        #expect(library.fetchAssets(with: FetchOptions(predicate: predicate)).isEmpty)
        #expect(PhotoLibrary().fetchMoments(in: .gmt).isEmpty && PhotoLibrary().fetchAssets().isEmpty)
    }

    @Test("collections of one type come in the order in which they were made, wherever they lie now")
    func orderOfCollections() throws {
        let titles = ["c", "a", "b"]
        let (albums, folders) = try library.performChangesAndWait { changes in
            let albums = try titles.map { try changes.createAlbum(title: $0) }
            return (albums, try titles.map { try changes.createFolder(title: $0) })
        }
        try library.performChangesAndWait { changes in
            try changes.moveChildCollections(at: [0], to: 4, in: nil)
            try changes.addChildCollections([albums[2], albums[0]], to: folders[1])
        }
        #expect(library.fetchTopLevelUserCollections().map(\.localizedTitle) == ["a", "c", "a", "b"])
        #expect(library.fetchAssetCollections(with: .album).map(\.localizedTitle) == titles)
        #expect(library.fetchCollectionLists(with: .folder).map(\.localizedTitle) == titles)
    }

    @Test("albums tell how many assets they have, and collections whose count takes a fetch do not")
    func counts() throws {
        library.add((0..<5).map { SampleAssets.asset($0, created: Double($0)) })
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<3).map(SampleAssets.identifier), to: album)
            return album
        }
        func count() -> Int? { library.fetchAssetCollections(with: .album).first?.estimatedAssetCount }
        #expect(count() == 3)
        try library.performChangesAndWait { try $0.addAssets([SampleAssets.identifier(4)], to: album) }
        #expect(count() == 4)
        try library.performChangesAndWait { try $0.removeAssets([SampleAssets.identifier(0)], from: album) }
        #expect(count() == 3)
        for smart in library.fetchAssetCollections(with: .smartAlbum) { #expect(smart.estimatedAssetCount == nil) }
    }

    @Test("an album counts what a fetch of it finds, and changes with its count and its dates")
    func countsOfFetches() throws {
        library.add((0..<4).map { SampleAssets.asset($0, created: Double($0)) })
        library.add([SampleAssets.asset(9, created: 5)])
        let albums = try library.performChangesAndWait { changes in
            let (one, other) = (try changes.createAlbum(title: "one"), try changes.createAlbum(title: "other"))
            try changes.addAssets((0..<3).map(SampleAssets.identifier), to: one)
            try changes.addAssets([SampleAssets.identifier(9)], to: other)
            return [one, other].map(\.identifier)
        }
        func fetched() -> FetchResult<AssetCollection> { library.fetchAssetCollections(with: .album) }
        func check(
            _ count: Int, _ dates: ClosedRange<Double>, location: SourceLocation = #_sourceLocation,
            _ body: (inout LibraryTransaction) throws -> Void
        ) throws {
            let before = fetched()
            let change = try library.changeMade(body)
            let after = try #require(change.changeDetails(for: before[0])?.objectAfterChanges, sourceLocation: location)
            for album in [after, fetched()[0]] {
                #expect(album.estimatedAssetCount == count, sourceLocation: location)
                #expect(library.fetchAssets(in: album).count == count, sourceLocation: location)
                #expect(album.startDate?.timeIntervalSinceReferenceDate == dates.lowerBound, sourceLocation: location)
                #expect(album.endDate?.timeIntervalSinceReferenceDate == dates.upperBound, sourceLocation: location)
            }
            #expect(change.changeDetails(for: before[1]) == nil, sourceLocation: location)
            let details = try #require(change.changeDetails(for: before), sourceLocation: location)
            #expect(details.changedIndexes == [0], sourceLocation: location)
            #expect(details.fetchResultAfterChanges[0].estimatedAssetCount == count, sourceLocation: location)
            // A result from before an earlier change as well.
            #expect(change.changeDetails(for: first)?.changedIndexes == [0], sourceLocation: location)
            #expect(change.changeDetails(for: details.fetchResultAfterChanges) == nil, sourceLocation: location)
        }
        let first = fetched()
        #expect(first.map(\.identifier) == albums && first.map(\.estimatedAssetCount) == [3, 1])
        try check(2, 0...1) { try $0.deleteAssets([SampleAssets.identifier(2)]) }
        try check(1, 1...1) { try $0.edit(SampleAssets.identifier(0)) { $0.isHidden = true } }
        try check(1, 7...7) {
            try $0.edit(SampleAssets.identifier(1)) { $0.creationDate = Date(timeIntervalSinceReferenceDate: 7) }
        }
        try check(2, 2...7) { try $0.restoreAssets([SampleAssets.identifier(2)]) }
        // Not with what an album does not tell.
        let favourite = try library.changeMade { try $0.edit(SampleAssets.identifier(1)) { $0.isFavorite = true } }
        #expect(favourite.changeDetails(for: fetched()[0]) == nil && first[0].estimatedAssetCount == 3)
        let other = try library.changeMade { try $0.deleteAssets([SampleAssets.identifier(3)]) }
        #expect(other.changeDetails(for: fetched()[0]) == nil)
    }

    @Test("albums of the host's are changed by the host alone")
    func hostAlbums() throws {
        library.add((0..<3).map { SampleAssets.asset($0) })
        let album = try library.performChangesAndWait { changes in
            try changes.createHostAlbum(
                title: "synced", subtype: .albumSyncedAlbum, assets: [SampleAssets.identifier(2)])
        }
        let collection = try #require(
            library.fetchAssetCollections(with: .album, subtype: .albumSyncedAlbum).first)
        #expect(CollectionEditOperation.allCases.allSatisfy { !collection.canPerform($0) })
        #expect(throws: ChangeError(.collectionNotEditable(album.identifier))) {
            try library.performChangesAndWait { try $0.addAssets([SampleAssets.identifier(0)], to: album) }
        }
        #expect(throws: ChangeError(.collectionNotEditable(album.identifier))) {
            try library.performChangesAndWait { try $0.deleteCollections([album]) }
        }
        try library.performChangesAndWait {
            try $0.setAssets([1, 0].map(SampleAssets.identifier), ofHostAlbum: album)
        }
        #expect(library.fetchAssets(in: collection).numbers == [1, 0])
        try library.performChangesAndWait { try $0.deleteHostAlbum(album) }
        #expect(library.fetchAssetCollections(with: .album).isEmpty && library.fetchAssets().count == 3)
    }
}
