import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

/// What PhotoKit answers with an exception ends the process here. Each test does it in a process of its own.
@Suite("PhotoKit: what ends the process", .takesTurns) struct PHTrapTests {
    @Test("a change request outside of a block of changes")
    func outside() async {
        await #expect(processExitsWith: .failure) {
            _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "album")
        }
        await #expect(processExitsWith: .failure) {
            // Kept beyond its block.
            nonisolated(unsafe) var kept: PHAssetCollectionChangeRequest?
            try await PHPhotoLibrary(PhotoLibrary()).performChanges {
                kept = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "album")
            }
            kept?.title = "other"
        }
        await #expect(processExitsWith: .success) {
            try await PHPhotoLibrary(PhotoLibrary()).performChanges {
                _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "album")
            }
        }
    }

    @Test("a predicate or a sort key that cannot be used")
    func options() async {
        await #expect(processExitsWith: .failure) {
            let options = PHFetchOptions()
            options.predicate = PHPredicate(format: "favourite == YES")
            _ = PHAsset.fetchAssets(with: options)
        }
        await #expect(processExitsWith: .failure) {
            let options = PHFetchOptions()
            options.sortDescriptors = [PHSortDescriptor(key: "width", ascending: true)]
            _ = PHAsset.fetchAssets(with: options)
        }
        await #expect(processExitsWith: .failure) {
            let options = PHFetchOptions()
            options.sortDescriptors = [PHSortDescriptor(key: "pixelWidth", ascending: true)]
            _ = PHCollectionList.fetchTopLevelUserCollections(with: options)
        }
        await #expect(processExitsWith: .success) {
            let options = PHFetchOptions()
            options.predicate = PHPredicate(format: "favorite == YES")
            options.sortDescriptors = [PHSortDescriptor(key: "pixelWidth", ascending: true)]
            _ = PHAsset.fetchAssets(with: options)
        }
    }

    @Test("an index out of range")
    func indexes() async {
        await #expect(processExitsWith: .failure) {
            _ = PHAsset.fetchAssets(with: nil).object(at: 0)
        }
        await #expect(processExitsWith: .failure) {
            _ = PhotoLibrary().fetchAssets()[0]
        }
        await #expect(processExitsWith: .failure) {
            _ = PHAsset.fetchAssets(with: nil)[-1]
        }
    }
}
