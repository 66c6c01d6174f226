import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Edits pinned to a state that others have changed meanwhile")
struct PinnedEditTests {
    private let library = PhotoLibrary()

    private func list(_ folder: CollectionPlaceholder) throws -> CollectionList {
        try #require(library.fetchCollectionLists(withLocalIdentifiers: [folder.localIdentifier]).first)
    }

    private func titles(_ items: FetchResult<CollectionItem>) -> [String] { items.map { $0.localizedTitle ?? "" } }

    /// Throws if the library, once saved, cannot be loaded.
    private func expectLoadable() throws {
        _ = try PhotoLibrary.state(loading: library.savedBytes)
    }

    @Test("moving a deleted album moves nothing, and no folder names a missing album")
    func deletedAlbum() throws {
        let (folder, album) = try library.performChangesAndWait { changes in
            let folder = try changes.createFolder(title: "folder")
            let album = try changes.createAlbum(title: "a", in: folder)
            try changes.createAlbum(title: "b", in: folder)
            return (folder, album)
        }
        let seen = library.fetchCollections(in: try list(folder))
        try library.performChangesAndWait { try $0.deleteCollections([album]) }
        try library.performChangesAndWait { try $0.moveChildCollections(at: [0], to: 1, in: folder, pinnedTo: seen) }
        #expect(library.snapshot.collections[folder.identifier]?.children.count == 1)
        #expect(titles(library.fetchCollections(in: try list(folder))) == ["b"])
        try expectLoadable()
    }

    @Test("moving a folder that now contains its former parent does not create a cycle")
    func circle() throws {
        let (outer, inner) = try library.performChangesAndWait { changes in
            let outer = try changes.createFolder(title: "outer")
            let inner = try changes.createFolder(title: "inner", in: outer)
            try changes.createAlbum(title: "album", in: outer)
            return (outer, inner)
        }
        let seen = library.fetchCollections(in: try list(outer))
        try library.performChangesAndWait { changes in
            try changes.addChildCollections([inner], to: nil)
            try changes.addChildCollections([outer], to: inner)
        }
        try library.performChangesAndWait { try $0.moveChildCollections(at: [0], to: 1, in: outer, pinnedTo: seen) }
        #expect(titles(library.fetchTopLevelUserCollections()) == ["inner"])
        #expect(titles(library.fetchCollections(in: try list(inner))) == ["outer"])
        #expect(titles(library.fetchCollections(in: try list(outer))) == ["album"])
        try expectLoadable()
    }

    @Test("a move does not bring back removed assets or collections")
    func takenOut() throws {
        library.add((1...3).map { SampleAssets.asset($0) })
        let (album, folder, child) = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((1...3).map(SampleAssets.identifier), to: album)
            let folder = try changes.createFolder(title: "folder")
            let child = try changes.createAlbum(title: "child", in: folder)
            try changes.createAlbum(title: "other", in: folder)
            return (album, folder, child)
        }
        let collection = try #require(
            library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier]).first)
        let (seen, seenInFolder) = (
            library.fetchAssets(in: collection), library.fetchCollections(in: try list(folder))
        )
        try library.performChangesAndWait { changes in
            try changes.removeAssets([SampleAssets.identifier(1)], from: album)
            try changes.removeChildCollections([child], from: folder)
        }
        try library.performChangesAndWait { changes in
            try changes.moveAssets(at: [0], to: 2, in: album, pinnedTo: seen)
            try changes.moveChildCollections(at: [0], to: 1, in: folder, pinnedTo: seenInFolder)
        }
        #expect(library.fetchAssets(in: collection).numbers == [2, 3])
        #expect(titles(library.fetchCollections(in: try list(folder))) == ["other"])
        // The assets of the pinned list that are still there are moved.
        try library.performChangesAndWait { try $0.moveAssets(at: [0, 2], to: 0, in: album, pinnedTo: seen) }
        #expect(library.fetchAssets(in: collection).numbers == [3, 2])
        // An asset that the edit itself names is inserted, behind the one that it followed.
        try library.performChangesAndWait { changes in
            try changes.replaceAssets(at: [0], in: album, with: [SampleAssets.identifier(1)], pinnedTo: seen)
        }
        #expect(library.fetchAssets(in: collection).numbers == [1, 3, 2])
    }

    @Test("positions in a list that names an asset twice are refused for an album")
    func duplicates() throws {
        library.add((1...3).map { SampleAssets.asset($0) })
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((1...3).map(SampleAssets.identifier), to: album)
            return album
        }
        let collection = try #require(library.fetchAssetCollections(with: .album).first)
        let assets = library.fetchAssets(in: collection)
        let twice = FetchResult([assets[0], assets[0], assets[1], assets[2]])
        #expect(throws: ChangeError(.duplicateAsset(SampleAssets.identifier(1)))) {
            try library.performChangesAndWait { try $0.moveAssets(at: [1], to: 2, in: album, pinnedTo: twice) }
        }
        #expect(library.fetchAssets(in: collection).numbers == [1, 2, 3])
        try expectLoadable()
    }
}
