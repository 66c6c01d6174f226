import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

/// The files in `Tests/Libraries`, whose page says what is in them and which code has written them.
@Suite("Libraries that earlier versions have saved") struct FormerLibrariesTests {
    private static let files = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Libraries")

    /// The bytes of the library's file as a version wrote them.
    private static func bytes(_ version: Int) throws -> [UInt8] {
        switch version {
        // What version 6 added: two marks for absent columns of files, and two for absent digests.
        case 5: try bytes(5, changing: 6) { $0.removeLast(4) }
        // What version 8 added: a mark for absent dates of renderings.
        case 8: try bytes(8, changing: 7) { $0.append(0) }
        default: [UInt8](try Data(contentsOf: files.appending(path: "version-\(version).library")))
        }
    }

    /// The bytes of a version whose chunk differs from that of another one.
    private static func bytes(
        _ version: UInt8, changing other: Int, _ change: (inout [UInt8]) -> Void
    ) throws -> [UInt8] {
        let good = try bytes(other)
        var blocks = try SavedBlocks(good).ranges.map { Array(good[$0]) }
        change(&blocks[0])
        var bytes = SavedBlocks.file(blocks, snapshotNumber: 2)
        bytes[20] = version
        SavedBlocks.sealHeader(&bytes)
        return bytes
    }

    private static func token(_ version: Int) throws -> ChangeToken {
        let former = [5: 6, 8: 7][version] ?? version
        let data = try Data(contentsOf: files.appending(path: "version-\(former).token"))
        return try JSONDecoder().decode(ChangeToken.self, from: data)
    }

    /// Loads a version's file from a folder of its own.
    private static func load(_ version: Int) async throws -> (PhotoLibrary, TemporaryFolder) {
        let folder = try TemporaryFolder()
        try folder.write("library", bytes(version))
        return (try await PhotoLibrary(loading: folder.path + "/library"), folder)
    }

    private static let everything = FetchOptions(includeHiddenAssets: true)

    private func check(_ library: PhotoLibrary, _ version: Int) throws {
        let assets = library.fetchAssets(with: Self.everything)
        try #require(assets.map(\.identifier.low) == [1, 2, 3, 5])
        let (first, second, third, fifth) = (assets[0], assets[1], assets[2], assets[3])
        #expect(first.isFavorite && first.creationDate == Date(timeIntervalSince1970: 1_000_000_000))
        #expect(first.location == Location(latitude: 48.1, longitude: 11.5) && !first.isHidden)
        #expect(first.pixelSize == PixelSize(width: 1, height: 3) && first.contentType == .png)
        #expect(try first.resource.open().bytes() == TinyImages.png(1, 3))
        #expect(second.isHidden && library.fetchAssets().count == 3)
        #expect(third.hasAdjustments && third.pixelSize == PixelSize(width: 9, height: 9))
        #expect(
            third.adjustmentData
                == AdjustmentData(formatIdentifier: "thumbwheel.test", formatVersion: "1", data: [1, 2, 3]))
        #expect(third.resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
        #expect(third.contentVersion == 2 && fifth.contentVersion == 7)
        #expect(fifth.pixelSize == PixelSize(width: 3000, height: 4000) && fifth.mediaSubtypes == .photoPanorama)
        #expect(fifth.burstIdentifier == "burst" && fifth.representsBurst && fifth.fileSize == 12_345)
        #expect(fifth.resource.filePath == "/photographs/5.jpg" && fifth.originalFilename == "5.jpg")
        #expect(fifth.creationDate == Date(timeIntervalSince1970: 1_100_000_000))
        #expect(fifth.thumbHash == (version > 1 ? ThumbHash(bytes: [UInt8](1...24)) : nil))
        #expect(assets.allSatisfy { $0.addedDate != nil && $0.sourceType == .userLibrary })
        #expect(Set(assets.map { $0.pictureVersion() }).count == 4)

        let albums = library.fetchAssetCollections(with: .album)
        #expect(albums.map(\.localizedTitle) == ["Holiday", "Empty"])
        #expect(library.fetchAssets(in: albums[0]).map(\.identifier.low) == [3, 1])
        let folders = library.fetchCollectionLists(with: .folder)
        #expect(folders.map(\.localizedTitle) == ["Year"])
        #expect(library.fetchCollections(in: folders[0]).map(\.localizedTitle) == ["Holiday"])
        let trash = library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumRecentlyDeleted)
        #expect(library.fetchAssets(in: trash[0]).map(\.identifier.low) == [4])
        #expect(library.snapshot.brokenInvariants.isEmpty)
    }

    @Test(
        "each is loaded with all that it had, is changed, saved in the present version, and loaded again",
        arguments: 1...8)
    func contents(version: Int) async throws {
        let (library, folder) = try await Self.load(version)
        try check(library, version)
        let path = folder.path + "/library"
        try await library.save(to: path)
        let data = try Data(contentsOf: URL(filePath: path))
        #expect(data[20] == UInt8(LibraryFileHeader.currentVersion))
        let again = try await PhotoLibrary(loading: path)
        try check(again, version)
        try await again.performChanges { changes in
            try changes.revertToOriginal(library.fetchAssets()[1])
            try changes.restoreAssets([AssetIdentifier(high: 1, low: 4)])
            try changes.createAlbum(title: "New")
        }
        let third = try #require(again.asset(withIdentifier: AssetIdentifier(high: 1, low: 3)))
        #expect(third.pixelSize == PixelSize(width: 3, height: 3) && third.contentVersion > 2)
        #expect(again.fetchAssets(in: again.fetchAssetCollections(with: .album)[0]).map(\.identifier.low) == [3, 1, 4])
    }

    @Test("a token from its time tells what happened afterwards", arguments: 1...8)
    func history(version: Int) async throws {
        let (library, folder) = try await Self.load(version)
        let changes = try library.fetchPersistentChanges(since: Self.token(version))
        #expect(changes.count == 1 && !folder.path.isEmpty)
        let assets = try #require(try changes.first?.assetDetails())
        #expect(assets.inserted.isEmpty && Set(assets.updated.map(\.low)) == [1, 2, 3, 4])
        #expect(try changes.first?.albumDetails().inserted.count == 2)
        #expect(try changes.first?.folderDetails().inserted.count == 1)
    }

    @Test("a picture has the same version at every load", arguments: 1...8)
    func pictures(version: Int) async throws {
        let (one, folder) = try await Self.load(version)
        let (other, second) = try await Self.load(version)
        let versions = [one, other].map { library in
            library.fetchAssets(with: Self.everything).map { [$0.pictureVersion(), $0.pictureVersion(of: .original)] }
        }
        #expect(versions[0] == versions[1] && versions[0].count == 4 && folder.path != second.path)
        try await other.save(to: second.path + "/library")
        let again = try await PhotoLibrary(loading: second.path + "/library")
        #expect(again.fetchAssets(with: Self.everything).map { $0.pictureVersion() } == versions[0].map { $0[0] })
    }

    @Test("each is recovered whole", arguments: 1...8)
    func recovery(version: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write("library", Self.bytes(version))
        let (library, report) = try await PhotoLibrary.recover(from: folder.path + "/library")
        #expect(report.isComplete)
        try check(library, version)
    }

    @Test("an import takes the photographs of any version for what they are", arguments: 1...8)
    func imports(version: Int) async throws {
        let (library, folder) = try await Self.load(version)
        try folder.write("new/1.png", TinyImages.png(8, 8))
        let report = try await library.importFolder(at: folder.path + "/new")
        #expect(report.added.count == 1)
        try check(library.view(for: OnlyFormerAssets()), version)
    }

    /// Hides what the test has imported.
    private struct OnlyFormerAssets: AccessPolicy {
        var access: LibraryAccess {
            .limited(to: Set((1...5).map { AssetIdentifier(high: 1, low: $0) }))
        }
    }
}
