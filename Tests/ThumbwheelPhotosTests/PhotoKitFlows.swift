// swift-format-ignore-file
import Foundation
import ThumbwheelPhotos

// What the articles on Photos do, line by line, in PhotoKit's own spellings. A package that has this file and
//
//     import Foundation
//     import ThumbwheelPhotos
//
// in front of it has to compile without a change, and `runFlows` has to come to its end. On Linux Foundation has neither
// predicates nor sort descriptors from text, and no UIImage: `PHPredicate`, `PHSortDescriptor` and `PHImage` stand for them.

/// A grid as the sample code of Photos has it: a fetch result, a caching manager, a rectangle that has been preheated.
final class AssetGrid: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
    var fetchResult: PHFetchResult<PHAsset>
    var assetCollection: PHAssetCollection?
    let imageManager = PHCachingImageManager()
    var thumbnailSize = CGSize(width: 128, height: 128)
    var previousPreheatRect = CGRect.zero
    var shown: [String: PHImage] = [:]
    var updates: [(removed: IndexSet, inserted: IndexSet, changed: IndexSet)] = []
    let lock = NSLock()

    init(fetchResult: PHFetchResult<PHAsset>) {
        self.fetchResult = fetchResult
        super.init()
        PHPhotoLibrary.shared().register(self)
        imageManager.stopCachingImagesForAllAssets()
        imageManager.allowsCachingHighQualityImages = false
    }

    deinit { PHPhotoLibrary.shared().unregisterChangeObserver(self) }

    func show(item: Int) -> PHImageRequestID {
        let asset = fetchResult.object(at: item)
        let options = PHImageRequestOptions()
        options.deliveryMode = .opportunistic
        options.resizeMode = .exact
        options.normalizedCropRect = CGRect(x: 0, y: 0, width: 1, height: 1)
        options.isNetworkAccessAllowed = true
        options.progressHandler = { progress, error, stop, info in
            if error != nil || progress > 1 { stop.pointee = true }
        }
        return imageManager.requestImage(
            for: asset, targetSize: thumbnailSize, contentMode: .aspectFill, options: options
        ) { image, info in
            let isDegraded = (info?[PHImageResultIsDegradedKey] as? NSNumber)?.boolValue ?? false
            let isCancelled = (info?[PHImageCancelledKey] as? NSNumber)?.boolValue ?? false
            if let error = info?[PHImageErrorKey] as? NSError { print(error.domain, error.code) }
            guard let image, !isCancelled else { return }
            self.lock.lock()
            defer { self.lock.unlock() }
            if !isDegraded || self.shown[asset.localIdentifier] == nil { self.shown[asset.localIdentifier] = image }
        }
    }

    func updateCachedAssets(visibleRect: CGRect, columns: Int) {
        let preheatRect = visibleRect.insetBy(dx: 0, dy: -0.5 * visibleRect.height)
        guard abs(preheatRect.midY - previousPreheatRect.midY) > visibleRect.height / 3 else { return }
        let (added, removed) = differences(previousPreheatRect, preheatRect)
        imageManager.startCachingImages(
            for: added.flatMap { assets(in: $0, columns: columns) }, targetSize: thumbnailSize, contentMode: .aspectFill,
            options: nil)
        imageManager.stopCachingImages(
            for: removed.flatMap { assets(in: $0, columns: columns) }, targetSize: thumbnailSize, contentMode: .aspectFill,
            options: nil)
        previousPreheatRect = preheatRect
    }

    private func assets(in rect: CGRect, columns: Int) -> [PHAsset] {
        let side = thumbnailSize.width
        let first = max(0, Int(rect.minY / side) * columns)
        let last = min(fetchResult.count, Int((rect.maxY / side).rounded(.up)) * columns)
        return first < last ? fetchResult.objects(at: IndexSet(integersIn: first..<last)) : []
    }

    private func differences(_ old: CGRect, _ new: CGRect) -> (added: [CGRect], removed: [CGRect]) {
        guard old.intersects(new) else { return ([new], [old]) }
        func strip(_ from: CGFloat, _ to: CGFloat) -> [CGRect] {
            from < to ? [CGRect(x: new.origin.x, y: from, width: new.width, height: to - from)] : []
        }
        return (strip(old.maxY, new.maxY) + strip(new.minY, old.minY), strip(new.maxY, old.maxY) + strip(old.minY, new.minY))
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        guard let changes = changeInstance.changeDetails(for: fetchResult) else { return }
        lock.lock()
        defer { lock.unlock() }
        fetchResult = changes.fetchResultAfterChanges
        if changes.hasIncrementalChanges {
            updates.append((changes.removedIndexes ?? [], changes.insertedIndexes ?? [], changes.changedIndexes ?? []))
            changes.enumerateMoves { _, _ in }
        }
    }
}

func albumList() -> [(title: String?, count: Int, cover: PHAsset?)] {
    let allPhotosOptions = PHFetchOptions()
    allPhotosOptions.sortDescriptors = [PHSortDescriptor(key: "creationDate", ascending: true)]
    let allPhotos = PHAsset.fetchAssets(with: allPhotosOptions)
    let smartAlbums = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .albumRegular, options: nil)
    let topLevelUserCollections = PHCollectionList.fetchTopLevelUserCollections(with: nil)
    var rows: [(String?, Int, PHAsset?)] = [("All Photos", allPhotos.count, allPhotos.firstObject)]
    smartAlbums.enumerateObjects { collection, _, _ in
        let assets = PHAsset.fetchAssets(in: collection, options: nil)
        rows.append((collection.localizedTitle, assets.count, PHAsset.fetchKeyAssets(in: collection, options: nil)?.firstObject))
    }
    for index in 0..<topLevelUserCollections.count {
        if let album = topLevelUserCollections.object(at: index) as? PHAssetCollection {
            rows.append((album.localizedTitle, album.estimatedAssetCount, nil))
        }
    }
    return rows
}

func fetches() {
    let options = PHFetchOptions()
    options.predicate = PHPredicate(format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoPanorama.rawValue)
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = false
    options.fetchLimit = 100
    options.wantsIncrementalChangeDetails = true
    _ = PHAsset.fetchAssets(with: .image, options: options)
    _ = PHAsset.fetchAssets(withLocalIdentifiers: ["none"], options: nil)
    _ = PHAsset.fetchAssets(withBurstIdentifier: "none", options: nil)
    _ = PHAssetCollection.fetchMoments(with: nil)
    _ = PHAssetCollection.transientAssetCollection(with: [], title: "Picked")
    _ = PHCollectionList.transientCollectionList(with: [], title: "Lists")
}

func edit(_ asset: PHAsset, into album: PHAssetCollection, adding image: PHImage) async throws -> String? {
    try await PHPhotoLibrary.shared().performChanges {
        let request = PHAssetChangeRequest(for: asset)
        request.isFavorite = !asset.isFavorite
    }
    nonisolated(unsafe) var identifier: String?
    try await PHPhotoLibrary.shared().performChanges {
        let creation = PHAssetChangeRequest.creationRequestForAsset(from: image)
        creation.creationDate = Date(timeIntervalSince1970: 0)
        let addition = PHAssetCollectionChangeRequest(for: album)
        addition?.addAssets([creation.placeholderForCreatedAsset!] as NSArray)
        identifier = creation.placeholderForCreatedAsset?.localIdentifier
    }
    return identifier
}

func media(_ video: PHAsset, _ photo: PHAsset) {
    let options = PHVideoRequestOptions()
    options.deliveryMode = .highQualityFormat
    options.version = .current
    PHImageManager.default().requestPlayerItem(forVideo: video, options: options) { item, info in }
    PHImageManager.default().requestAVAsset(forVideo: video, options: options) { asset, mix, info in }
    PHImageManager.default().requestExportSession(forVideo: video, options: options, exportPreset: "passthrough") { session, info in }
    PHImageManager.default().requestImageDataAndOrientation(for: photo, options: nil) { data, uti, orientation, info in }
    for resource in PHAssetResource.assetResources(for: photo) {
        print(resource.originalFilename, resource.type.rawValue, resource.uniformTypeIdentifier)
    }
    _ = photo.requestContentEditingInput(with: nil) { input, info in }
}

func runFlows(in folder: String) async throws {
    try await PHPhotoLibrary.shared().importFolder(at: folder)
    fetches()
    nonisolated(unsafe) var album: PHAssetCollection?
    nonisolated(unsafe) var placeholder: PHObjectPlaceholder?
    try await PHPhotoLibrary.shared().performChanges {
        let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Holiday")
        placeholder = request.placeholderForCreatedAssetCollection
    }
    album = PHAssetCollection.fetchAssetCollections(
        withLocalIdentifiers: [placeholder!.localIdentifier], options: nil).firstObject
    let everything = PHAsset.fetchAssets(with: nil)
    let grid = AssetGrid(fetchResult: everything)
    for item in 0..<min(32, everything.count) { _ = grid.show(item: item) }
    grid.updateCachedAssets(visibleRect: CGRect(x: 0, y: 0, width: 512, height: 1024), columns: 4)

    let options = PHImageRequestOptions()
    options.isSynchronous = true
    nonisolated(unsafe) var image: PHImage?
    PHImageManager.default().requestImage(
        for: everything.object(at: 0), targetSize: PHImageManagerMaximumSize, contentMode: .default, options: options
    ) { result, _ in image = result }
    guard let image, let album else { throw CocoaError(.coderValueNotFound) }
    let created = try await edit(everything.object(at: 0), into: album, adding: image)
    let after = PHAsset.fetchAssets(in: album, options: nil)
    precondition(after.count == 1 && after.firstObject?.localIdentifier == created, "what the block made is in the album")
    precondition(albumList().count > 2, "the smart albums are listed")
}
