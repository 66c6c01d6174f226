import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

@Suite struct IncrementalImportTests {
    private let library = PhotoLibrary()

    private func names(_ assets: FetchResult<Asset>) -> [String] { assets.map(\.originalFilename) }

    private func asset(_ name: String) throws -> Asset {
        try #require(library.fetchAssets().first { $0.originalFilename == name })
    }

    private func remove(_ folder: TemporaryFolder, _ name: String) throws {
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    }

    @Test("a second run on a changed folder is one transaction with all that is new")
    func secondRun() async throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c", "d", "e", "sub/f"] { try folder.write(name + ".png", TinyImages.png(4, 3)) }
        let first = try await library.importFolder(at: folder.path)
        #expect(names(first.added) == ["a.png", "b.png", "c.png", "d.png", "e.png", "f.png"])
        // Given: something gone, and something that somebody has deleted.
        let elsewhere = try TemporaryFolder()
        try FileManager.default.moveItem(atPath: folder.path + "/c.png", toPath: elsewhere.path + "/c.png")
        let second = try await library.importFolder(at: folder.path)
        #expect(names(second.removed) == ["c.png"] && second.added.isEmpty && second.alreadyPresentCount == 5)
        let deleted = try asset("e.png")
        try await library.performChanges { try $0.deleteAssets([deleted]) }
        // When: one is back, one is another picture, one is new, a folder is gone.
        try FileManager.default.moveItem(atPath: elsewhere.path + "/c.png", toPath: folder.path + "/c.png")
        let before = try asset("b.png")
        try await library.performChanges { try $0.edit(before) { $0.isFavorite = true } }
        try folder.write("b.png", TinyImages.png(8, 9) + [0])
        try folder.write("z.png", TinyImages.png(1, 1))
        try remove(folder, "sub")
        let token = library.currentChangeToken
        let third = try await library.importFolder(at: folder.path)
        // Then
        #expect(names(third.added) == ["z.png"] && names(third.changed) == ["b.png"])
        #expect(names(third.removed) == ["f.png"] && names(third.restored) == ["c.png"])
        #expect(third.alreadyPresentCount == 3)
        let changes = try library.fetchPersistentChanges(since: token)
        #expect(changes.count == 1)
        let details = try #require(changes.first).assetDetails()
        #expect(details.inserted == Set(third.added.map(\.identifier)))
        let touched = Array(third.changed) + Array(third.removed) + Array(third.restored)
        #expect(details.updated == Set(touched.map(\.identifier)) && details.deleted.isEmpty)
        let after = try asset("b.png")
        #expect(after == before && after.contentVersion != before.contentVersion && after.pixelWidth == 8)
        #expect(after.isFavorite && third.restored.first?.contentVersion == first.added[2].contentVersion)
        #expect(names(library.fetchAssets()) == ["a.png", "b.png", "c.png", "d.png", "z.png"])
        // And once more, there is nothing to do.
        let last = library.currentChangeToken
        let fourth = try await library.importFolder(at: folder.path)
        #expect(fourth.alreadyPresentCount == 6 && library.currentChangeToken == last)
    }

    @Test("the original of an adjusted asset changes, and what is shown does not until it is reverted")
    func adjusted() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let original = try await library.importFolder(at: folder.path).added[0]
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [])
        try await library.performChanges {
            try $0.setAdjusted(original, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe)
        }
        let adjusted = try asset("a.png")
        try folder.write("a.png", TinyImages.png(7, 7) + [0])
        #expect(try await library.importFolder(at: folder.path).changed.count == 1)
        let shown = try asset("a.png")
        #expect(shown.contentVersion == adjusted.contentVersion && shown.pixelWidth == 2 && shown.hasAdjustments)
        try await library.performChanges { try $0.revertToOriginal(original) }
        #expect(try asset("a.png").pixelWidth == 7)
        #expect(try await library.importFolder(at: folder.path).changed.isEmpty)
    }

    @Test("a file that a host has added is known to an import, and is as it was")
    func addedByHost() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let path = URL(filePath: folder.path).resolvingSymlinksInPath().path + "/a.png"
        try await library.performChanges { _ = try $0.createAsset(from: [.file(path: path)]) }
        let report = try await library.importFolder(at: folder.path)
        #expect(report.added.isEmpty && report.changed.isEmpty && report.alreadyPresentCount == 1)
        #expect(library.fetchAssets(withFileURLs: [URL(filePath: folder.path + "/./a.png")]).count == 1)
    }

    @Test("what has become no image stays as it was, and is reported")
    func noImageAnyMore() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        _ = try await library.importFolder(at: folder.path)
        try folder.write("a.png", Array("words".utf8))
        let token = library.currentChangeToken
        let report = try await library.importFolder(at: folder.path)
        #expect(report.skipped.map(\.reason) == [.notAnImage] && report.removed.isEmpty)
        #expect(library.currentChangeToken == token && library.fetchAssets().count == 1)
    }

    @Test("an asset that was deleted for good comes again with the next import, as another version")
    func deletedForGood() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let first = try await library.importFolder(at: folder.path).added[0]
        try await library.performChanges { changes in
            try changes.deleteAssets([first])
            try changes.deleteAssetsPermanently([first])
        }
        try folder.write("a.png", TinyImages.png(9, 9) + [0])
        let again = try await library.importFolder(at: folder.path).added[0]
        #expect(again == first && again.contentVersion != first.contentVersion)
    }
}
