import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: observers and the differences of results") struct PHObserverTests {
        private let library = PHPhotoLibrary.shared()

        /// Notes the changes that it is told.
        private final class Observer: PHPhotoLibraryChangeObserver {
            let changes = AsyncStream.makeStream(of: PHChange.self)

            func photoLibraryDidChange(_ changeInstance: PHChange) { changes.continuation.yield(changeInstance) }
        }

        /// The change that a block brings.
        private func change(_ block: @escaping @Sendable () -> Void) async throws -> PHChange {
            let observer = Observer()
            library.register(observer)
            try await library.performChanges(block)
            var changes = observer.changes.stream.makeAsyncIterator()
            let change = try #require(await changes.next())
            library.unregisterChangeObserver(observer)
            return change
        }

        @Test("an observer is told of a fetched result's change, index by index, and of nothing after it is taken off")
        func observer() async throws {
            let imported = try await SharedLibrary.imported(2)
            let result = PHAsset.fetchAssets(with: nil)
            let observer = Observer()
            library.register(observer)
            let asset = try #require(result.lastObject)
            #expect(asset == imported.assets[1])
            try await library.performChanges { PHAssetChangeRequest(for: asset).isFavorite = true }
            var changes = observer.changes.stream.makeAsyncIterator()
            let change = try #require(await changes.next())
            let details = try #require(change.changeDetails(for: result))
            #expect(details.hasIncrementalChanges && details.changedIndexes == [result.count - 1])
            #expect(details.changedObjects.map(\.isFavorite) == [true])
            #expect(details.fetchResultBeforeChanges === result)
            #expect(details.fetchResultAfterChanges.lastObject?.isFavorite == true)
            library.unregisterChangeObserver(observer)
            try await library.performChanges { PHAssetChangeRequest(for: asset).isFavorite = false }
            observer.changes.continuation.finish()
            #expect(await changes.next() == nil)
        }

        @Test("the change of an asset tells whether its pixels changed, and whether it is gone for good")
        func objects() async throws {
            let imported = try await SharedLibrary.imported(3)
            let assets = imported.assets
            let favourite = try await change { PHAssetChangeRequest(for: assets[0]).isFavorite = true }
            let details = try #require(favourite.changeDetails(for: assets[0]))
            #expect(details.objectBeforeChanges === assets[0] && details.objectAfterChanges?.isFavorite == true)
            #expect(!details.assetContentChanged && !details.objectWasDeleted)
            #expect(favourite.changeDetails(for: assets[1]) == nil)
            let trashed = try #require(
                try await change { PHAssetChangeRequest.deleteAssets([assets[1]]) }.changeDetails(for: assets[1]))
            #expect(trashed.objectAfterChanges == assets[1] && !trashed.objectWasDeleted)
            let observer = Observer()
            library.register(observer)
            let identifiers = [assets[1].asset.identifier]
            try await library.library.performChanges { try $0.deleteAssetsPermanently(identifiers) }
            var changes = observer.changes.stream.makeAsyncIterator()
            let gone = try #require(await changes.next()?.changeDetails(for: assets[1]))
            #expect(gone.objectAfterChanges == nil && gone.objectWasDeleted)
        }

        @Test("albums, folders and results of them tell their changes")
        func collections() async throws {
            nonisolated(unsafe) var made: [PHObjectPlaceholder] = []
            try await library.performChanges {
                made = [
                    PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
                        .placeholderForCreatedAssetCollection,
                    PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Folder")
                        .placeholderForCreatedCollectionList,
                ]
            }
            let identifiers = made.map(\.localIdentifier)
            let albums = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifiers[0]], options: nil)
            let folders = PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifiers[1]], options: nil)
            let (album, folder) = (try #require(albums.firstObject), try #require(folders.firstObject))
            let members = PHCollection.fetchCollections(in: folder, options: nil)
            let change = try await change {
                PHAssetCollectionChangeRequest(for: album)?.title = "Other"
                PHCollectionListChangeRequest(for: folder)?.addChildCollections([album])
            }
            #expect(change.changeDetails(for: album)?.objectAfterChanges?.localizedTitle == "Other")
            #expect(change.changeDetails(for: folder)?.objectWasDeleted == false)
            #expect(change.changeDetails(for: albums)?.changedObjects.map(\.localizedTitle) == ["Other"])
            #expect(change.changeDetails(for: folders) != nil)
            let filled = try #require(change.changeDetails(for: members))
            #expect(filled.insertedIndexes == [0] && filled.insertedObjects == [album])
        }

        @Test("the differences between any two results are found, for a list that puts them into practice")
        func differences() async throws {
            let imported = try await SharedLibrary.imported(5)
            let assets = imported.assets
            func result(_ numbers: [Int]) -> PHFetchResult<PHAsset> {
                PHAsset.fetchAssets(withLocalIdentifiers: numbers.map { assets[$0].localIdentifier }, options: nil)
            }
            let (before, after) = (result([0, 1, 2, 3]), result([4, 3, 1, 2]))
            let details = PHFetchResultChangeDetails(from: before, to: after, changedObjects: [assets[1], assets[4]])
            #expect(details.fetchResultBeforeChanges === before && details.fetchResultAfterChanges === after)
            #expect(details.removedIndexes == [0] && details.removedObjects == [assets[0]])
            #expect(details.insertedIndexes == [0] && details.insertedObjects == [assets[4]])
            #expect(details.changedIndexes == [2] && details.changedObjects == [assets[1]] && details.hasMoves)
            var list = Array(before)
            for index in (details.removedIndexes ?? []).reversed() { list.remove(at: index) }
            for index in details.insertedIndexes ?? [] { list.insert(after[index], at: index) }
            details.enumerateMoves { list.insert(list.remove(at: $0), at: $1) }
            #expect(list == Array(after))
            let same = PHFetchResultChangeDetails(from: before, to: before, changedObjects: [])
            #expect(same.hasIncrementalChanges && same.changedIndexes == [] && !same.hasMoves)
        }

        @Test("a result that did not want details is told only that it is old")
        func withoutDetails() async throws {
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
            let options = PHFetchOptions()
            options.wantsIncrementalChangeDetails = false
            let result = PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: options)
            let change = try await change { PHAssetChangeRequest(for: asset).isFavorite = true }
            let details = try #require(change.changeDetails(for: result))
            #expect(!details.hasIncrementalChanges && details.fetchResultAfterChanges.firstObject?.isFavorite == true)
            #expect(details.removedIndexes == nil && details.insertedIndexes == nil && details.changedIndexes == nil)
            #expect(details.removedObjects.isEmpty && details.insertedObjects.isEmpty && details.changedObjects.isEmpty)
        }
    }
}
