import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: requests that change albums and folders") struct PHCollectionRequestTests {
        private let library = PHPhotoLibrary.shared()

        /// Makes an album.
        private func album(of assets: [PHAsset]) async throws -> PHAssetCollection {
            nonisolated(unsafe) var placeholder: PHObjectPlaceholder?
            try await library.performChanges {
                let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
                request.addAssets(assets)
                placeholder = request.placeholderForCreatedAssetCollection
            }
            return try current(try #require(placeholder).localIdentifier)
        }

        private func current(_ identifier: String) throws -> PHAssetCollection {
            try #require(
                PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: nil).firstObject)
        }

        private func members(_ album: PHAssetCollection, _ assets: [PHAsset]) -> [Int?] {
            PHAsset.fetchAssets(in: album, options: nil).map { assets.firstIndex(of: $0) }
        }

        @Test("an album's members are added, inserted, removed, replaced and moved by PhotoKit's rules for indexes")
        func albums() async throws {
            let imported = try await SharedLibrary.imported(5)
            let assets = imported.assets
            let album = try await album(of: [assets[0], assets[1]])
            #expect(album.estimatedAssetCount == 2 && members(album, assets) == [0, 1])
            func edited(_ body: @escaping @Sendable (PHAssetCollectionChangeRequest?) -> Void) async throws -> [Int?] {
                try await library.performChanges { body(PHAssetCollectionChangeRequest(for: album)) }
                return members(album, assets)
            }
            #expect(try await edited { $0?.addAssets([assets[0], assets[2]]) } == [0, 1, 2])
            #expect(try await edited { $0?.insertAssets([assets[3], assets[4]], at: [0, 3]) } == [3, 0, 1, 4, 2])
            #expect(try await edited { $0?.removeAssets([assets[1]]) } == [3, 0, 4, 2])
            #expect(try await edited { $0?.removeAssets(at: [0, 1]) } == [4, 2])
            #expect(try await edited { $0?.replaceAssets(at: [0], withAssets: [assets[1]]) } == [1, 2])
            #expect(try await edited { $0?.addAssets([assets[3], assets[4]]) } == [1, 2, 3, 4])
            #expect(try await edited { $0?.moveAssets(at: [0, 1], to: 1) } == [3, 1, 2, 4])
            _ = try await edited { $0?.title = "Renamed" }
            #expect(try current(album.localIdentifier).localizedTitle == "Renamed")
        }

        @Test("indexes of a fetched album are those of the fetch, though the album has changed")
        func pinned() async throws {
            let imported = try await SharedLibrary.imported(3)
            let assets = imported.assets
            let album = try await album(of: assets)
            let seen = PHAsset.fetchAssets(in: album, options: nil)
            try await library.performChanges { PHAssetCollectionChangeRequest(for: album)?.removeAssets([assets[0]]) }
            try await library.performChanges {
                PHAssetCollectionChangeRequest(for: album, assets: seen)?.removeAssets(at: [2])
            }
            #expect(members(album, assets) == [1])
        }

        @Test("a deleted album leaves its assets, and computed collections have no requests")
        func deleted() async throws {
            let imported = try await SharedLibrary.imported()
            let album = try await album(of: imported.assets)
            try await library.performChanges { PHAssetCollectionChangeRequest.deleteAssetCollections([album]) }
            let identifiers = [album.localIdentifier]
            #expect(PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: identifiers, options: nil).count == 0)
            #expect(try SharedLibrary.current(imported.asset) == imported.asset)
            let smart = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: nil)
            let transient = PHCollectionList.transientCollectionList(with: [], title: nil)
            try await library.performChanges {
                #expect(smart.allSatisfy { PHAssetCollectionChangeRequest(for: $0) == nil } && smart.count > 0)
                #expect(PHCollectionListChangeRequest(for: transient) == nil)
            }
        }

        @Test("folders are made, filled, ordered and deleted")
        func folders() async throws {
            nonisolated(unsafe) var folder: PHObjectPlaceholder?
            try await library.performChanges {
                let request = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Year")
                let albums = ["A", "B", "C"].map {
                    PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: $0)
                        .placeholderForCreatedAssetCollection
                }
                request.addChildCollections(albums)
                request.moveChildCollections(at: [2], to: 0)
                folder = request.placeholderForCreatedCollectionList
            }
            let identifier = try #require(folder).localIdentifier
            func fetched() throws -> PHCollectionList {
                try #require(
                    PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifier], options: nil).firstObject)
            }
            let list = try fetched()
            let children = PHCollection.fetchCollections(in: list, options: nil)
            #expect(children.map(\.localizedTitle) == ["C", "A", "B"])
            try await library.performChanges {
                let request = PHCollectionListChangeRequest(for: list, childCollections: children)
                request?.title = "Years"
                request?.removeChildCollections(at: [1])
            }
            func titles() throws -> [String?] {
                PHCollection.fetchCollections(in: try fetched(), options: nil).map(\.localizedTitle)
            }
            #expect(try fetched().localizedTitle == "Years" && titles() == ["C", "B"])
            let albums = [children[0], children[1], children[2]]
            try await library.performChanges {
                let request = PHCollectionListChangeRequest(for: list)
                request?.insertChildCollections([albums[1]], at: [1])
                request?.replaceChildCollections(at: [0], withChildCollections: [albums[2]])
                request?.removeChildCollections([albums[0]])
            }
            #expect(try titles() == ["B", "A"])
            let filled = try fetched()
            try await library.performChanges { PHCollectionListChangeRequest.deleteCollectionLists([filled]) }
            #expect(PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifier], options: nil).count == 0)
            let identifiers = albums.map(\.localIdentifier)
            let left = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: identifiers, options: nil)
            #expect(left.map(\.localizedTitle) == ["C"])
        }

        @Test("the top level is ordered, and nothing is taken out of it")
        func topLevel() async throws {
            try await library.performChanges {
                for title in ["Top 1", "Top 2"] {
                    _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                }
            }
            let top = PHCollectionList.fetchTopLevelUserCollections(with: nil)
            try await library.performChanges {
                PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: top)?
                    .moveChildCollections(at: [top.count - 1], to: 0)
            }
            let after = PHCollectionList.fetchTopLevelUserCollections(with: nil)
            #expect(after.firstObject?.localizedTitle == "Top 2" && after.lastObject?.localizedTitle == "Top 1")
            let error = await #expect(throws: PHPhotosError.self) {
                try await library.performChanges {
                    PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: after)?
                        .removeChildCollections(at: [0])
                }
            }
            #expect(error?.code == .changeNotSupported)
        }
    }
}
