import Testing
import Thumbwheel
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: transient collections") struct PHTransientTests {
        @Test("transient collections have titles and members, and nobody edits them")
        func transient() async throws {
            let assets = try await SharedLibrary.imported(2).assets
            let collection = PHAssetCollection.transientAssetCollection(with: assets, title: "Picked")
            #expect(collection.localizedTitle == "Picked" && collection.assetCollectionType == .album)
            #expect(collection.canContainAssets && !collection.canContainCollections)
            let operations: [PHCollectionEditOperation] = [
                .deleteContent, .removeContent, .addContent, .createContent, .rearrangeContent, .delete, .rename,
            ]
            #expect(operations.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
            #expect(operations.allSatisfy { !collection.canPerform($0) })
            let list = PHCollectionList.transientCollectionList(with: [collection], title: "Lists")
            #expect(list.localizedTitle == "Lists" && list.canContainCollections && !list.canContainAssets)
            let members = PHCollection.fetchCollections(in: list, options: nil)
            #expect(members.count == 1 && members.firstObject == collection)
            let again = PHCollectionList.transientCollectionList(withCollectionsFetchResult: members, title: nil)
            #expect(PHCollection.fetchCollections(in: again, options: nil).firstObject == collection)
            let fetched = PHAsset.fetchAssets(in: collection, options: nil)
            #expect(Array(fetched) == assets)
            let copied = PHAssetCollection.transientAssetCollection(withAssetFetchResult: fetched, title: nil)
            #expect(Array(PHAsset.fetchAssets(in: copied, options: nil)) == assets && copied.localizedTitle == nil)
        }
    }
}
