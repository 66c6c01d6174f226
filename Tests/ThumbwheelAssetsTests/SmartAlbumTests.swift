import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct SmartAlbumTests {
    private static let now = Date(timeIntervalSinceReferenceDate: 100 * 86_400)

    private static func assets() -> [Asset] {
        var random = SeededGenerator(seed: 5)
        let subtypes: [AssetMediaSubtype] = [
            .photoPanorama, .photoScreenshot, .photoLive, .videoTimelapse, .videoHighFrameRate, .photoDepthEffect,
            .videoCinematic, .spatialMedia, .videoScreenRecording, .photoSelfPortrait, .photoLongExposure,
        ]
        let types: [ContentType] = [.jpeg, .jpeg, .gif, .dng, .webp, ContentType(rawValue: "image/x-canon-cr3")]
        return (0..<1500).map { number in
            var chosen: AssetMediaSubtype = []
            for subtype in subtypes where random.index(below: 9) == 0 { chosen.formUnion(subtype) }
            let picks: AssetBurstSelectionType = [[], .autoPick, .userPick][random.index(below: 3)]
            return SampleAssets.asset(
                number, type: random.index(below: 4) == 0 ? .video : .image, subtypes: chosen, created: 5,
                favorite: random.index(below: 3) == 0, hidden: random.index(below: 6) == 0,
                burst: random.index(below: 3) == 0 ? "burst \(number / 10)" : nil,
                represents: random.index(below: 4) == 0,
                source: random.index(below: 8) == 0 ? .cloudShared : .userLibrary, frames: 1 + random.index(below: 2),
                contentType: types[random.index(below: types.count)], picks: picks,
                added: Date(timeIntervalSinceReferenceDate: Double(random.index(below: 100)) * 86_400))
        }
    }

    /// What a smart album should hold of assets that ordinary fetches find.
    private static let rules: [(AssetCollection.Subtype, @Sendable (Asset) -> Bool)] = [
        (.smartAlbumUserLibrary, { _ in true }),
        (.smartAlbumVideos, { $0.mediaType == .video }),
        (.smartAlbumFavorites, { $0.isFavorite }),
        (.smartAlbumRecentlyAdded, { $0.addedDate! > now.addingTimeInterval(-30 * 86_400) }),
        (.smartAlbumBursts, { $0.representsBurst }),
        (.smartAlbumPanoramas, { $0.isPanorama }),
        (.smartAlbumLivePhotos, { $0.isLivePhoto }),
        (.smartAlbumScreenshots, { $0.isScreenshot }),
        (.smartAlbumTimelapses, { $0.isTimelapse }),
        (.smartAlbumRAW, { $0.contentType.rawValue.hasPrefix("image/x-") }),
        (.smartAlbumAnimated, { [.gif, .webp].contains($0.contentType) && $0.head.frameCount > 1 }),
        (.smartAlbumSlomoVideos, { $0.isHighFrameRate }),
        (.smartAlbumDepthEffect, { $0.isDepthEffect }),
        (.smartAlbumCinematic, { $0.isCinematic }),
        (.smartAlbumSpatial, { $0.isSpatial }),
        (.smartAlbumScreenRecordings, { $0.isScreenRecording }),
        (.smartAlbumSelfPortraits, { $0.isSelfPortrait }),
        (.smartAlbumLongExposures, { $0.isLongExposure }),
    ]

    private static func isOrdinary(_ asset: Asset) -> Bool {
        asset.sourceType == .userLibrary
            && (asset.burstIdentifier == nil || asset.representsBurst || asset.burstSelectionTypes.contains(.userPick))
    }

    @Test("every smart album holds what a filter finds")
    func contents() throws {
        let assets = Self.assets()
        let library = PhotoLibrary(now: { Self.now })
        library.add(assets)
        let trashed = Set(
            assets.filter { $0.sourceType == .userLibrary }.enumerated().filter { $0.offset % 7 == 0 }
                .map(\.element.identifier))
        try library.performChangesAndWait { try $0.deleteAssets(trashed) }
        for (subtype, rule) in Self.rules {
            let album = try #require(library.fetchAssetCollections(with: .smartAlbum, subtype: subtype).first)
            let expected = assets.filter {
                Self.isOrdinary($0) && !$0.isHidden && !trashed.contains($0.identifier) && rule($0)
            }
            #expect(Array(library.fetchAssets(in: album)) == expected, "\(album.localizedTitle ?? "")")
            #expect(library.countOfAssets(in: album) == expected.count)
            #expect(!expected.isEmpty && expected.count < assets.count)
            #expect(!album.canPerform(.removeContent) && album.estimatedAssetCount == nil)
            let again = library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier])
            #expect(again.first == album)
        }
        let hidden = try #require(library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumAllHidden).first)
        #expect(
            Array(library.fetchAssets(in: hidden))
                == assets.filter { Self.isOrdinary($0) && $0.isHidden && !trashed.contains($0.identifier) })
        let bin = try #require(
            library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumRecentlyDeleted).first)
        #expect(
            Array(library.fetchAssets(in: bin))
                == assets.filter { Self.isOrdinary($0) && trashed.contains($0.identifier) })
        #expect(library.fetchAssetCollections(with: .smartAlbum).count == Self.rules.count + 2)
    }

    @Test("what counts as recently added is the host's to say")
    func recentlyAdded() throws {
        let library = PhotoLibrary(
            configuration: PhotoLibrary.Configuration { $0.recentlyAddedInterval = 2 * 86_400 }, now: { Self.now })
        library.add(Self.assets())
        let album = try #require(
            library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumRecentlyAdded).first)
        let start = Self.now.addingTimeInterval(-2 * 86_400)
        #expect(library.fetchAssets(in: album).allSatisfy { $0.addedDate! > start })
        #expect(!library.fetchAssets(in: album).isEmpty)
    }

    @Test("deleted assets wait in Recently Deleted, come back to their albums, or go for good when their time is over")
    func recentlyDeleted() throws {
        let clock = Clock()
        let library = PhotoLibrary(now: { clock.now })
        library.add((0..<4).map { SampleAssets.asset($0) })
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<4).map(SampleAssets.identifier), to: album)
            return album
        }
        let collection = try #require(library.fetchAssetCollections(with: .album).first)
        clock.now = Date(timeIntervalSinceReferenceDate: 10)
        let deletion = try library.changeMade { try $0.deleteAssets([0, 1].map(SampleAssets.identifier)) }
        clock.now = Date(timeIntervalSinceReferenceDate: 20)
        try library.performChangesAndWait { try $0.deleteAssets([SampleAssets.identifier(2)]) }
        let bin = try #require(
            library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumRecentlyDeleted).first)
        let binned = library.fetchAssets(in: bin)
        #expect(binned.numbers == [0, 1, 2] && binned.allSatisfy(\.isRecentlyDeleted))
        #expect(binned.map { $0.trashedDate?.timeIntervalSinceReferenceDate } == [10, 10, 20])
        #expect(library.fetchAssets(in: collection).numbers == [3])
        #expect(library.fetchAssetCollectionsContaining(SampleAssets.identifier(0)).isEmpty)
        // Not gone: only moved.
        let first = try #require(deletion.changeDetails(for: SampleAssets.asset(0)))
        #expect(!first.objectWasDeleted && first.objectAfterChanges?.isRecentlyDeleted == true)
        try library.performChangesAndWait { try $0.restoreAssets([SampleAssets.identifier(1)]) }
        #expect(library.fetchAssets(in: collection).numbers == [1, 3])
        let purge = try library.changeMade {
            try $0.deleteAssetsPermanently(trashedBefore: Date(timeIntervalSinceReferenceDate: 15))
        }
        #expect(library.fetchAssets(in: bin).numbers == [2])
        let gone = try #require(purge.changeDetails(for: binned[0]))
        #expect(gone.objectWasDeleted && gone.objectAfterChanges == nil)
        #expect(album == collection)
    }

    @Test("of a burst, ordinary fetches show the representative and what the user picked")
    func bursts() {
        let library = PhotoLibrary()
        library.add([
            SampleAssets.asset(0, burst: "b", picks: .autoPick), SampleAssets.asset(1, burst: "b", represents: true),
            SampleAssets.asset(2, burst: "b", picks: .userPick), SampleAssets.asset(3, burst: "b"),
            SampleAssets.asset(4, hidden: true, burst: "b", represents: true), SampleAssets.asset(5),
        ])
        #expect(library.fetchAssets().numbers == [1, 2, 5])
        #expect(library.fetchAssets(withBurstIdentifier: "b").numbers == [1, 2])
        let all = FetchOptions(includeAllBurstAssets: true)
        #expect(library.fetchAssets(withBurstIdentifier: "b", options: all).numbers == [0, 1, 2, 3])
        #expect(library.fetchAssets(with: all).numbers == [0, 1, 2, 3, 5])
        #expect(library.fetchAssets(withBurstIdentifier: "").isEmpty)
        #expect(library.fetchAssets(withBurstIdentifier: "c").isEmpty)
    }
}
