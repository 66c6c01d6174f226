import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

@Suite struct CollectionTests {
    private let library = PhotoLibrary(now: { Date(timeIntervalSinceReferenceDate: 77) })

    /// Albums a to e in a folder.
    private func folder() throws -> (folder: CollectionPlaceholder, albums: [CollectionPlaceholder]) {
        try library.performChangesAndWait { changes in
            let folder = try changes.createFolder(title: "folder")
            return (folder, try ["a", "b", "c", "d", "e"].map { try changes.createAlbum(title: $0, in: folder) })
        }
    }

    private func titles(_ list: CollectionPlaceholder) throws -> String {
        let folder = try #require(library.fetchCollectionLists(withLocalIdentifiers: [list.localIdentifier]).first)
        return library.fetchCollections(in: folder).map { $0.localizedTitle ?? "" }.joined()
    }

    private var top: String {
        library.fetchTopLevelUserCollections().map { $0.localizedTitle ?? "" }.joined(separator: " ")
    }

    @Test("folders follow the index rules of albums, and what leaves one goes to the end of the top level")
    func folderIndexes() throws {
        let (folder, albums) = try folder()
        let (x, y) = try library.performChangesAndWait { changes in
            (try changes.createAlbum(title: "x"), try changes.createFolder(title: "y"))
        }
        #expect(top == "folder x y")
        try library.performChangesAndWait { try $0.insertChildCollections([x, y], into: folder, at: [1, 6]) }
        #expect(try titles(folder) == "axbcdey")
        #expect(top == "folder")
        try library.performChangesAndWait { try $0.moveChildCollections(at: [0, 2], to: 4, in: folder) }
        #expect(try titles(folder) == "xcdeaby")
        try library.performChangesAndWait { try $0.removeChildCollections(at: [0, 6], from: folder) }
        #expect(try titles(folder) == "cdeab")
        #expect(top == "folder x y")
        try library.performChangesAndWait { try $0.removeChildCollections([albums[4], x], from: folder) }
        #expect(try titles(folder) == "cdab")
        #expect(top == "folder x y e")
        // A member of the folder moves, one from elsewhere comes, and what stood there leaves.
        try library.performChangesAndWait {
            try $0.replaceChildCollections(at: [0, 1], in: folder, with: [albums[1], x])
        }
        #expect(try titles(folder) == "bxa")
        #expect(top == "folder y e c d")
        try library.performChangesAndWait { try $0.addChildCollections([albums[0], y], to: folder) }
        #expect(try titles(folder) == "bxay")
        try library.performChangesAndWait { try $0.moveChildCollections(at: [3], to: 0, in: nil) }
        #expect(top == "d folder e c")
        #expect(library.fetchCollectionListsContaining(x).map(\.identifier) == [folder.identifier])
        #expect(library.fetchCollectionListsContaining(albums[2]).isEmpty)
    }

    @Test(
        "an edit that is pinned to a result finds what it names, though the folder or the album has changed meanwhile")
    func pinnedEdits() throws {
        library.add((0..<10).map { SampleAssets.asset($0) })
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<5).map(SampleAssets.identifier), to: album)
            return album
        }
        let collection = try #require(library.fetchAssetCollections(with: .album).first)
        let before = library.fetchAssets(in: collection)
        try library.performChangesAndWait { changes in
            try changes.removeAssets(at: [0], from: album)
            try changes.insertAssets([SampleAssets.identifier(9)], into: album, at: [1])
        }
        #expect(library.fetchAssets(in: collection).numbers == [1, 9, 2, 3, 4])
        // Positions of what was there: 2 is third, and 8 comes behind 3.
        try library.performChangesAndWait { changes in
            try changes.removeAssets(at: [2], from: album, pinnedTo: before)
            try changes.insertAssets([SampleAssets.identifier(8)], into: album, at: [4], pinnedTo: before)
        }
        #expect(library.fetchAssets(in: collection).numbers == [1, 9, 3, 8, 4])
        try library.performChangesAndWait { changes in
            try changes.moveAssets(at: [4], to: 1, in: album, pinnedTo: before)
            try changes.replaceAssets(at: [3], in: album, with: [SampleAssets.identifier(7)], pinnedTo: before)
        }
        #expect(library.fetchAssets(in: collection).numbers == [4, 1, 9, 7, 8])

        let (folder, albums) = try folder()
        let list = try #require(library.fetchCollectionLists(withLocalIdentifiers: [folder.localIdentifier]).first)
        let members = library.fetchCollections(in: list)
        try library.performChangesAndWait { try $0.deleteCollections([albums[0]]) }
        try library.performChangesAndWait { try $0.moveChildCollections(at: [4], to: 1, in: folder, pinnedTo: members) }
        #expect(try titles(folder) == "ebcd")
        #expect(throws: ChangeError(.indexOutOfRange(index: 5, count: 5))) {
            try library.performChangesAndWait {
                try $0.removeChildCollections(at: [5], from: folder, pinnedTo: members)
            }
        }
    }

    @Test("deleting a folder deletes all that is in it, and no asset")
    func deletion() throws {
        library.add([SampleAssets.asset(0)])
        let (folder, albums) = try folder()
        let list = try #require(library.fetchCollectionLists(with: .folder).first)
        let album = try #require(library.fetchAssetCollections(with: .album).first)
        let members = library.fetchCollections(in: list)
        try library.performChangesAndWait { try $0.addAssets([SampleAssets.identifier(0)], to: albums[0]) }
        let change = try library.changeMade { try $0.deleteCollections([folder]) }
        #expect(library.fetchAssetCollections(with: .album).isEmpty && library.fetchAssets().count == 1)
        #expect(change.changeDetails(for: list)?.objectWasDeleted == true)
        #expect(change.changeDetails(for: album)?.objectWasDeleted == true)
        #expect(change.changeDetails(for: members)?.removedIndexes == IndexSet(0..<5))
    }

    @Test("what becomes of collections is told, with the very object that was asked about")
    func changeDetails() throws {
        library.add([SampleAssets.asset(0), SampleAssets.asset(1)])
        let (folder, albums) = try folder()
        let all = library.fetchAssetCollections(with: .album)
        let list = try #require(library.fetchCollectionLists(with: .folder).first)
        let members = library.fetchCollections(in: list)
        #expect(all.allSatisfy { $0.modificationDate == Date(timeIntervalSinceReferenceDate: 77) })
        let change = try library.changeMade { changes in
            try changes.setTitle("z", of: albums[1])
            try changes.addAssets([SampleAssets.identifier(0)], to: albums[2])
            try changes.deleteCollections([albums[0]])
            try changes.moveChildCollections(at: [3], to: 0, in: folder)
            try changes.createAlbum(title: "new", in: folder)
        }
        let renamed = try #require(change.changeDetails(for: all[1]))
        #expect(renamed.objectBeforeChanges.localizedTitle == "b" && renamed.objectAfterChanges?.localizedTitle == "z")
        #expect(!renamed.assetContentChanged && !renamed.objectWasDeleted)
        #expect(change.changeDetails(for: all[3]) == nil)
        let albumsDetails = try #require(change.changeDetails(for: all))
        #expect(albumsDetails.removedIndexes == [0] && albumsDetails.insertedIndexes == [4])
        #expect(albumsDetails.changedObjects.map(\.localizedTitle) == ["z", "c"] && !albumsDetails.hasMoves)
        let folderDetails = try #require(change.changeDetails(for: members))
        #expect(folderDetails.applied() == Array(library.fetchCollections(in: list)))
        #expect(folderDetails.fetchResultAfterChanges.map(\.localizedTitle) == ["e", "z", "c", "d", "new"])
        #expect(folderDetails.hasMoves && change.changeDetails(for: list) != nil)
        // Only items that are edited count: an album does not change when its assets do.
        let other = try library.changeMade { try $0.edit(SampleAssets.identifier(0)) { $0.isFavorite = true } }
        #expect(other.changeDetails(for: all[2]) == nil)
        var options = CollectionFetchOptions()
        options.wantsIncrementalChangeDetails = false
        let plain = library.fetchAssetCollections(with: .album, options: options)
        let third = try library.changeMade { try $0.setTitle("y", of: albums[1]) }
        #expect(try #require(third.changeDetails(for: plain)).hasIncrementalChanges == false)
    }

    @Test("transient collections and lists are fetched from like others, and are edited by nobody")
    func transient() throws {
        library.add((0..<5).map { SampleAssets.asset($0, created: Double($0), hidden: $0 == 3) })
        let (folder, albums) = try folder()
        let assets = library.fetchAssets(
            withLocalIdentifiers: [3, 1, 0].map { SampleAssets.identifier($0).localIdentifier })
        let mine = AssetCollection.transientAssetCollection(with: assets, title: "mine")
        #expect(library.fetchAssets(in: mine).numbers == [1, 0])
        let all = FetchOptions(includeHiddenAssets: true)
        #expect(library.fetchAssets(in: mine, options: all).numbers == [3, 1, 0])
        #expect(library.fetchKeyAssets(in: mine).numbers == [1])
        #expect(mine.isTransient && mine.estimatedAssetCount == 3 && mine.localizedTitle == "mine")
        let sorted = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate)])
        #expect(library.fetchAssets(in: mine, options: sorted).numbers == [0, 1])
        let items = library.fetchTopLevelUserCollections()
        let list = CollectionList.transientCollectionList(with: Array(items) + [mine.item], title: "list")
        let outer = CollectionList.transientCollectionList(with: [list])
        #expect(library.fetchCollections(in: outer).map(\.localizedTitle) == ["list"])
        #expect(library.fetchCollections(in: list).map(\.localizedTitle) == ["folder", "mine"])
        let album = try #require(library.fetchAssetCollections(with: .album).first)
        let shelf = CollectionList.transientCollectionList(with: [album, mine])
        for operation in CollectionEditOperation.allCases {
            #expect(!mine.canPerform(operation) && !list.canPerform(operation))
        }
        let refusals: [(CollectionIdentifier, (inout LibraryTransaction) throws -> Void)] = [
            (mine.identifier, { try $0.setTitle("x", of: mine) }),
            (mine.identifier, { try $0.addAssets([SampleAssets.identifier(0)], to: mine) }),
            (mine.identifier, { try $0.deleteCollections([mine]) }),
            (mine.identifier, { try $0.addChildCollections([mine], to: folder) }),
            (list.identifier, { try $0.addChildCollections([albums[0]], to: list) }),
            (list.identifier, { try $0.addChildCollections([list], to: folder) }),
        ]
        for (identifier, edit) in refusals {
            #expect(throws: ChangeError(.collectionNotEditable(identifier))) {
                try library.performChangesAndWait { try edit(&$0) }
            }
        }
        // Each sees the other as it is now.
        try library.performChangesAndWait { changes in
            try changes.deleteCollections([albums[0]])
            try changes.setTitle("renamed", of: folder)
        }
        #expect(library.fetchCollections(in: shelf).map(\.localizedTitle) == ["mine"])
        #expect(library.fetchCollections(in: list).map(\.localizedTitle) == ["renamed", "mine"])
        #expect(library.fetchAssetCollections(withLocalIdentifiers: [mine.localIdentifier]).isEmpty)
    }

    @Test("predicates, sorts and limits choose among collections")
    func options() throws {
        _ = try folder()
        let format = try CollectionPredicate(PredicateFormat("title IN {'a', 'c', 'e'}"))
        let descending = [CollectionSortDescriptor(.localizedTitle, ascending: false)]
        let found = library.fetchAssetCollections(
            with: .album, options: CollectionFetchOptions(predicate: format, sortDescriptors: descending, fetchLimit: 2)
        )
        #expect(found.map(\.localizedTitle) == ["e", "c"])
        #expect(library.fetchAssetCollections(with: .album, subtype: .albumImported).isEmpty)
        #expect(library.fetchCollectionLists(with: .smartFolder).isEmpty)
    }
}
