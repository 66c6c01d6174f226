import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Feeding a library from a host's store") struct FeedingTests {
    private let library = PhotoLibrary(now: { Date(timeIntervalSinceReferenceDate: 77) })

    private func update(with assets: [Asset]) async throws {
        try await library.performChanges { try $0.update(with: assets) }
    }

    @Test("what is new is added, what differs is changed, what is the same is passed over")
    func update() async throws {
        try await update(with: (0..<5).map { SampleAssets.asset($0) })
        let token = library.currentChangeToken
        try await update(with: (0..<5).map { SampleAssets.asset($0) })
        #expect(library.currentChangeToken == token)
        try await update(with: [
            SampleAssets.asset(1, favorite: true), SampleAssets.asset(2, width: 41), SampleAssets.asset(3),
            SampleAssets.asset(9),
        ])
        let details = try #require(try library.fetchPersistentChanges(since: token).first).assetDetails()
        #expect(details.updated == [SampleAssets.identifier(1), SampleAssets.identifier(2)])
        #expect(details.inserted == [SampleAssets.identifier(9)])
        let assets = library.fetchAssets()
        #expect(assets.map(\.contentVersion) == [1, 1, 2, 1, 1, 1])
        #expect(assets[1].isFavorite && assets[2].pixelWidth == 41)
        #expect(assets[1].modificationDate == Date(timeIntervalSinceReferenceDate: 77))
    }

    @Test("a content version of the host's is taken over where it is higher")
    func versions() async throws {
        try await update(with: [SampleAssets.asset(0)])
        let facts = SampleAssets.asset(0)
        let next = Asset(
            identifier: facts.identifier, contentVersion: 5, head: facts.head, resource: facts.resource, fileSize: 1000,
            originalFilename: facts.originalFilename)
        try await update(with: [next])
        #expect(library.fetchAssets().first?.contentVersion == 5)
        try await update(with: [SampleAssets.asset(0)])
        #expect(library.fetchAssets().first?.contentVersion == 5)
    }

    @Test("Recently Deleted, albums and renderings stay what they are")
    func whatStays() async throws {
        try await update(with: (0..<3).map { SampleAssets.asset($0) })
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        try await library.performChanges { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<3).map(SampleAssets.identifier), to: album)
            try changes.deleteAssets([SampleAssets.identifier(1)])
            try changes.setAdjusted(
                SampleAssets.identifier(2), rendering: .bytes(TinyImages.png(9, 8)), adjustmentData: recipe)
        }
        try await update(with: [
            SampleAssets.asset(1, fileSize: 7), SampleAssets.asset(2, width: 55, favorite: true),
        ])
        let album = library.fetchAssetCollections(with: .album)[0]
        #expect(library.fetchAssets(in: album).numbers == [0, 2])
        let adjusted = library.fetchAssets()[1]
        #expect(adjusted.pixelWidth == 9 && adjusted.isFavorite && adjusted.contentVersion == 2)
        #expect(adjusted.adjustmentData == recipe)
        try await library.performChanges { changes in
            try changes.restoreAssets([SampleAssets.identifier(1)])
            try changes.revertToOriginal(SampleAssets.identifier(2))
        }
        #expect(library.fetchAssets().map(\.fileSize) == [1000, 7, 1000])
        #expect(library.fetchAssets().map(\.pixelWidth) == [40, 40, 55])
    }
}
