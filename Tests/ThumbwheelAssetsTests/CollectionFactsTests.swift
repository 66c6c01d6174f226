import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks

@Suite("What collections and results tell of their assets") struct CollectionFactsTests {
    private let library = PhotoLibrary()

    private func album(_ numbers: [Int]) throws -> AssetCollection {
        let placeholder = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "a")
            try changes.addAssets(numbers.map { SampleAssets.identifier($0) }, to: album)
            return album
        }
        let identifiers = [placeholder.identifier.localIdentifier]
        return try #require(library.fetchAssetCollections(withLocalIdentifiers: identifiers).first)
    }

    @Test("the subtype of regular albums finds all smart albums, and moments have no subtype")
    func subtypes() {
        library.add([SampleAssets.asset(1, created: 5)])
        let all = library.fetchAssetCollections(with: .smartAlbum)
        #expect(library.fetchAssetCollections(with: .smartAlbum, subtype: .albumRegular) == all && all.count > 10)
        #expect(library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumVideos).count == 1)
        #expect(library.fetchAssetCollections(with: .smartAlbum, subtype: .albumImported).isEmpty)
        #expect(library.fetchAssetCollections(with: .moment).count == 1)
        #expect(library.fetchAssetCollections(with: .moment, subtype: .smartAlbumVideos).isEmpty)
    }

    @Test("an album tells when and where its assets were taken, and follows them")
    func dates() throws {
        let place = Location(latitude: 1, longitude: 2)
        library.add([
            SampleAssets.asset(1, created: 500), SampleAssets.asset(2, created: 100, location: place),
            SampleAssets.asset(3), SampleAssets.asset(4, created: 1, hidden: true), SampleAssets.asset(5, created: 900),
        ])
        let album = try album([1, 2, 3, 4])
        #expect(album.startDate?.timeIntervalSinceReferenceDate == 100)
        #expect(album.endDate?.timeIntervalSinceReferenceDate == 500 && album.approximateLocation == place)
        let change = try library.changeMade { changes in
            try changes.addAssets([SampleAssets.identifier(5)], to: album)
        }
        let after = try #require(change.changeDetails(for: album)?.objectAfterChanges)
        #expect(after.endDate?.timeIntervalSinceReferenceDate == 900)
        #expect(album.endDate?.timeIntervalSinceReferenceDate == 500, "a snapshot does not change")
        #expect(try self.album([3]).startDate == nil && self.album([]).endDate == nil)
        let old = try CollectionFetchOptions(
            predicate: CollectionPredicate(
                PredicateFormat("startDate != nil AND endDate > %@", Date(timeIntervalSinceReferenceDate: 800))))
        #expect(library.fetchAssetCollections(with: .album, options: old).map(\.identifier) == [album.identifier])
    }

    @Test("a view that may not see all assets is not told their dates")
    func limited() throws {
        library.add([SampleAssets.asset(1, created: 500), SampleAssets.asset(2, created: 100)])
        _ = try album([1, 2])
        struct Limited: AccessPolicy {
            var access: LibraryAccess { .limited(to: [SampleAssets.identifier(1)]) }
        }
        let album = try #require(library.view(for: Limited()).fetchAssetCollections(with: .album).first)
        #expect(album.startDate == nil && album.endDate == nil && album.approximateLocation == nil)
    }

    @Test("a collection has as many key assets as are asked for, and one unless more are")
    func keyAssets() throws {
        library.add((1...5).map { SampleAssets.asset($0, created: Double($0)) })
        let album = try album([3, 1, 2])
        #expect(library.fetchKeyAssets(in: album).numbers == [3])
        #expect(library.fetchKeyAssets(in: album, options: FetchOptions(fetchLimit: 2)).numbers == [3, 1])
        let all = try #require(
            library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumUserLibrary).first)
        #expect(library.fetchKeyAssets(in: all, options: FetchOptions(fetchLimit: 3)).numbers == [5, 4, 3])
        let day = try #require(library.fetchMoments(in: .gmt).first)
        #expect(library.fetchKeyAssets(in: day).numbers == [5])
        try library.performChangesAndWait { try $0.removeAssets(at: [0, 1, 2], from: album) }
        #expect(library.fetchKeyAssets(in: album).isEmpty)
    }

    @Test("a transient collection leaves out what any other leaves out, unless it is asked for")
    func transient() {
        library.add([
            SampleAssets.asset(1), SampleAssets.asset(2, hidden: true), SampleAssets.asset(3, burst: "b"),
            SampleAssets.asset(4, burst: "b", represents: true), SampleAssets.asset(5, source: .cloudShared),
        ])
        let identifiers = (1...5).reversed().map { SampleAssets.identifier($0).localIdentifier }
        let everything = library.fetchAssets(withLocalIdentifiers: identifiers)
        #expect(everything.numbers == [5, 4, 3, 2, 1])
        let collection = AssetCollection.transientAssetCollection(with: everything)
        func numbers(_ options: FetchOptions) -> [Int] { library.fetchAssets(in: collection, options: options).numbers }
        #expect(numbers(FetchOptions()) == [5, 4, 1])
        #expect(numbers(FetchOptions(includeHiddenAssets: true)) == [5, 4, 2, 1])
        #expect(numbers(FetchOptions(includeAllBurstAssets: true)) == [5, 4, 3, 1])
        #expect(library.countOfAssets(in: collection) == 3)
    }

    @Test("counts by media type are those of the result, at every call")
    func counts() {
        library.add((0..<300).map { SampleAssets.asset($0, type: $0 % 3 == 0 ? .video : .image) })
        let result = library.fetchAssets(with: FetchOptions(fetchLimit: 100))
        for _ in 0..<2 {
            #expect(result.countOfAssets(with: .video) == 34 && result.countOfAssets(with: .image) == 66)
            #expect(result.countOfAssets(with: .audio) == 0)
        }
        #expect(FetchResult(Array(result)).countOfAssets(with: .video) == 34)
    }

    @Test("a concurrent enumeration visits every element once, and begins none after it was stopped")
    func concurrent() {
        library.add((0..<1000).map { SampleAssets.asset($0) })
        let result = library.fetchAssets()
        let seen = Mutex<[Int]>([])
        result.enumerateObjectsConcurrently { asset, index, _ in
            let isInPlace = Int(asset.identifier.low) == index
            seen.withLock { $0.append(isInPlace ? index : -1) }
        }
        #expect(seen.withLock { $0.sorted() } == Array(0..<1000))
        let count = Mutex(0)
        result.enumerateObjectsConcurrently { _, _, stop in
            count.withLock { $0 += 1 }
            stop = true
        }
        // Each thread may have been inside one call.
        #expect(count.withLock { $0 } <= ProcessInfo.processInfo.activeProcessorCount + 1)
        FetchResult<Asset>([]).enumerateObjectsConcurrently { _, _, _ in Issue.record("there is nothing") }
    }
}
