import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

@testable import FixtureKit

/// The flows of PhotoKit's articles, and PhotoKit's rules for what they do not show. All tests share the process's library.
@Suite("PhotoKit's spellings", .serialized) struct FlowTests {
    // The tests of this suite run one after another.
    private nonisolated(unsafe) static var nextSeed: UInt64 = 900

    /// A folder with some photographs, each 400 pixels wide. No two tests get the same photographs: the library would take them for
    /// files that have moved from the folder of the test before.
    private static func photographs(_ count: Int) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for number in 0..<count {
            let raster = Raster(Scene(seed: nextSeed, subject: .landscape), width: 400, height: 300)
            nextSeed += 1
            try folder.write("photo-\(number).png", PNGEncoder.encode(raster, as: .rgb))
        }
        return folder
    }

    private static var library: PHPhotoLibrary { .shared() }

    @Test("the code of the articles comes to its end")
    func articles() async throws {
        let folder = try Self.photographs(4)
        try await runFlows(in: folder.path)
    }

    @Test("results tell that a photograph is elsewhere, whether its pixels or its file are requested")
    func elsewhere() async throws {
        let asset = PHAsset(
            Asset(
                identifier: AssetIdentifier(high: 5, low: 5),
                head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 40, height: 30)),
                resource: .provider(SuspendableProvider()), fileSize: 1000, originalFilename: "elsewhere.jpg"))
        @Sendable func facts(_ info: [AnyHashable: Any]?) -> [Int?] {
            [
                (info?[PHImageResultIsInCloudKey] as? NSNumber)?.intValue, (info?[PHImageErrorKey] as? NSError)?.code,
            ]
        }
        let expected = [1, PHPhotosError.Code.networkAccessRequired.rawValue]
        let ofFile = await withCheckedContinuation { continuation in
            PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) { _, _, _, info in
                continuation.resume(returning: facts(info))
            }
        }
        #expect(ofFile == expected)
        let ofPixels = await withCheckedContinuation { continuation in
            PHImageManager.default().requestImage(
                for: asset, targetSize: CGSize(width: 20, height: 20), contentMode: .aspectFill, options: nil
            ) { _, info in continuation.resume(returning: facts(info)) }
        }
        #expect(ofPixels == expected)
    }

    @Test("the shared library is the host's own, in all forms of asking")
    func authorization() async {
        let statuses = [
            await PHPhotoLibrary.requestAuthorization(for: .readWrite),
            await withCheckedContinuation { continuation in
                PHPhotoLibrary.requestAuthorization(for: .addOnly) { continuation.resume(returning: $0) }
            },
            await withCheckedContinuation { continuation in
                PHPhotoLibrary.requestAuthorization { continuation.resume(returning: $0) }
            },
        ]
        #expect(statuses == [.authorized, .authorized, .authorized])
    }

    // MARK: Changes

    @Test("a block in which one request is refused changes nothing, and its error is that of the first refusal")
    func refusal() async throws {
        let folder = try Self.photographs(1)
        try await Self.library.importFolder(at: folder.path)
        let asset = try #require(PHAsset.fetchAssets(with: nil).lastObject)
        let title = "Refused \(UUID().uuidString)"
        let token = Self.library.currentChangeToken
        let error = await #expect(throws: NSError.self) {
            try await Self.library.performChanges {
                _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                PHAssetChangeRequest(for: asset).isHidden = true
                PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
            }
        }
        #expect(error?.domain == PHPhotosErrorDomain)
        #expect(error?.code == PHPhotosError.Code.changeNotSupported.rawValue)
        #expect(try Self.library.fetchPersistentChanges(since: token).isEmpty)
        let after = try #require(
            PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: nil).firstObject)
        #expect(!after.isHidden)
    }

    @Test("an asset made of files has its placeholder before the files are named, and is in the album of its block")
    func creation() async throws {
        let folder = try Self.photographs(1)
        let file = URL(fileURLWithPath: folder.path + "/photo-0.png")
        nonisolated(unsafe) var placeholders: [PHObjectPlaceholder] = []
        try await Self.library.performChanges {
            let creation = PHAssetCreationRequest.forAsset()
            creation.isFavorite = true
            let asset = creation.placeholderForCreatedAsset!
            let options = PHAssetResourceCreationOptions()
            options.originalFilename = "Named.png"
            creation.addResource(with: .photo, fileURL: file, options: options)
            let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "New")
            album.addAssets([asset] as NSArray)
            placeholders = [asset, album.placeholderForCreatedAssetCollection]
        }
        let album = try #require(
            PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [placeholders[1].localIdentifier], options: nil
            ).firstObject)
        let assets = PHAsset.fetchAssets(in: album, options: nil)
        #expect(album == placeholders[1] && assets.count == 1)
        let asset = try #require(assets.firstObject)
        #expect(asset == placeholders[0] && asset.isFavorite && assets.contains(asset))
        let resource = try #require(PHAssetResource.assetResources(for: asset).first)
        #expect(resource.originalFilename == "Named.png" && resource.type == .photo)
        #expect(resource.uniformTypeIdentifier == "image/png")
    }

    @Test("folders are made, filled, ordered and deleted")
    func folders() async throws {
        nonisolated(unsafe) var folder: PHObjectPlaceholder?
        try await Self.library.performChanges {
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
        let list = try #require(
            PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifier], options: nil).firstObject)
        let children = PHCollection.fetchCollections(in: list, options: nil)
        #expect(children.map(\.localizedTitle) == ["C", "A", "B"])
        try await Self.library.performChanges {
            let request = PHCollectionListChangeRequest(for: list, childCollections: children)
            request?.title = "Years"
            request?.removeChildCollections(at: [1])
        }
        let after = try #require(
            PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifier], options: nil).firstObject)
        #expect(after.localizedTitle == "Years")
        #expect(PHCollection.fetchCollections(in: after, options: nil).map(\.localizedTitle) == ["C", "B"])
        try await Self.library.performChanges { PHCollectionListChangeRequest.deleteCollectionLists([after]) }
        #expect(PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifier], options: nil).count == 0)
    }

    /// Notes the changes that it is told.
    private final class Observer: PHPhotoLibraryChangeObserver {
        let changes = AsyncStream.makeStream(of: PHChange.self)

        func photoLibraryDidChange(_ changeInstance: PHChange) { changes.continuation.yield(changeInstance) }
    }

    @Test("an observer is told of a fetched result's change, index by index, and of nothing after it is taken off")
    func observer() async throws {
        let folder = try Self.photographs(2)
        try await Self.library.importFolder(at: folder.path)
        let result = PHAsset.fetchAssets(with: nil)
        let observer = Observer()
        Self.library.register(observer)
        let asset = try #require(result.lastObject)
        try await Self.library.performChanges { PHAssetChangeRequest(for: asset).isFavorite = true }
        var changes = observer.changes.stream.makeAsyncIterator()
        let change = try #require(await changes.next())
        let details = try #require(change.changeDetails(for: result))
        #expect(details.hasIncrementalChanges && details.changedIndexes == [result.count - 1])
        #expect(details.changedObjects.map(\.isFavorite) == [true])
        #expect(change.changeDetails(for: asset)?.objectAfterChanges?.isFavorite == true)
        Self.library.unregisterChangeObserver(observer)
        try await Self.library.performChanges { PHAssetChangeRequest(for: asset).isFavorite = false }
        observer.changes.continuation.finish()
        #expect(await changes.next() == nil)
    }

    // MARK: Images

    @Test("a synchronous request hands its image over before it returns, with facts under PhotoKit's keys")
    func synchronous() async throws {
        let folder = try Self.photographs(1)
        try await Self.library.importFolder(at: folder.path)
        let asset = try #require(PHAsset.fetchAssets(with: nil).lastObject)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.resizeMode = .exact
        nonisolated(unsafe) var calls: [(PHImage?, [AnyHashable: Any]?)] = []
        let id = PHImageManager.default().requestImage(
            for: asset, targetSize: CGSize(width: 100, height: 100), contentMode: .aspectFill, options: options
        ) { calls.append(($0, $1)) }
        #expect(calls.count == 1)
        let (image, info) = try #require(calls.first)
        #expect(image?.size == CGSize(width: 100, height: 100))
        #expect((info?[PHImageResultRequestIDKey] as? NSNumber)?.int32Value == id && id != PHInvalidImageRequestID)
        #expect((info?[PHImageResultIsDegradedKey] as? NSNumber)?.boolValue == false)
        #expect(info?[PHImageErrorKey] == nil && info?[PHImageCancelledKey] == nil)
    }

    @Test("an image that is to hold all light is in linear light, and a copy of the options says so too")
    func highDynamicRange() async throws {
        let folder = try Self.photographs(1)
        try await Self.library.importFolder(at: folder.path)
        let asset = try #require(PHAsset.fetchAssets(with: nil).lastObject)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.preferHDR = true
        nonisolated(unsafe) var formats: [Bitmap.PixelFormat?] = []
        for options in [options, try #require(options.copy() as? PHImageRequestOptions), PHImageRequestOptions()] {
            options.isSynchronous = true
            PHImageManager.default().requestImage(
                for: asset, targetSize: CGSize(width: 50, height: 50), contentMode: .aspectFit, options: options
            ) { image, _ in formats.append(image?.bitmap.format) }
        }
        #expect(formats == [.linearRGBA, .linearRGBA, .rgb])
    }

    @Test("an empty target is an error of PhotoKit's domain")
    func failure() async throws {
        let folder = try Self.photographs(1)
        try await Self.library.importFolder(at: folder.path)
        let asset = try #require(PHAsset.fetchAssets(with: nil).lastObject)
        let error = await withCheckedContinuation { continuation in
            let options = PHImageRequestOptions()
            options.deliveryMode = .highQualityFormat
            PHImageManager.default().requestImage(
                for: asset, targetSize: CGSize(width: -7, height: CGFloat.nan), contentMode: .default, options: options
            ) { image, info in
                let error = info?[PHImageErrorKey] as? NSError
                continuation.resume(returning: image == nil ? error.map { ($0.domain, $0.code) } : nil)
            }
        }
        #expect(error?.0 == PHPhotosErrorDomain)
        #expect(error?.1 == PHPhotosError.Code.internalError.rawValue)
    }

    @Test("a request that is cancelled says so once, whoever comes first")
    func cancelled() async throws {
        let folder = try Self.photographs(1)
        try await Self.library.importFolder(at: folder.path)
        let asset = try #require(PHAsset.fetchAssets(with: nil).lastObject)
        let manager = PHCachingImageManager()
        manager.startCachingImages(
            for: [asset], targetSize: CGSize(width: 64, height: 64), contentMode: .aspectFill, options: nil)
        for side in 65..<90 {
            let ends = AsyncStream.makeStream(of: Bool.self)
            let id = manager.requestImage(
                for: asset, targetSize: CGSize(width: side, height: side), contentMode: .aspectFill, options: nil
            ) { image, info in
                let isCancelled = (info?[PHImageCancelledKey] as? NSNumber)?.boolValue ?? false
                let isDegraded = (info?[PHImageResultIsDegradedKey] as? NSNumber)?.boolValue ?? false
                if isCancelled || !isDegraded { ends.continuation.yield(isCancelled || image != nil) }
            }
            manager.cancelImageRequest(id)
            var iterator = ends.stream.makeAsyncIterator()
            #expect(await iterator.next() == true)
        }
        manager.stopCachingImagesForAllAssets()
    }

    // MARK: Resources and editing

    @Test("an edit is committed with its recipe, read again by an editor that knows it, and reverted")
    func editing() async throws {
        let folder = try Self.photographs(1)
        try await Self.library.importFolder(at: folder.path)
        let asset = try #require(PHAsset.fetchAssets(with: nil).lastObject)
        func input(of asset: PHAsset, canHandle: Bool) async -> PHContentEditingInput? {
            await withCheckedContinuation { continuation in
                let options = PHContentEditingInputRequestOptions()
                options.canHandleAdjustmentData = { _ in canHandle }
                asset.requestContentEditingInput(with: options) { input, _ in continuation.resume(returning: input) }
            }
        }
        let first = try #require(await input(of: asset, canHandle: false))
        #expect(first.adjustmentData == nil && first.displaySizeImage?.size == CGSize(width: 400, height: 300))
        let output = PHContentEditingOutput(contentEditingInput: first)
        output.adjustmentData = PHAdjustmentData(
            formatIdentifier: "thumbwheel.test", formatVersion: "1", data: Data([1, 2, 3]))
        let rendering = Raster(Scene(seed: 5, subject: .seaside), width: 200, height: 150)
        try Data(PNGEncoder.encode(rendering, as: .rgb)).write(to: output.renderedContentURL)
        try await Self.library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
        func current() throws -> PHAsset {
            try #require(PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: nil).firstObject)
        }
        let edited = try current()
        #expect(edited.hasAdjustments && edited.pixelWidth == 200)
        let known = try #require(await input(of: edited, canHandle: true))
        #expect(known.adjustmentData?.data == Data([1, 2, 3]) && known.displaySizeImage?.size.width == 400)
        let unknown = try #require(await input(of: edited, canHandle: false))
        #expect(unknown.adjustmentData == nil && unknown.displaySizeImage?.size.width == 200)
        try await Self.library.performChanges { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
        #expect(try !current().hasAdjustments && current().pixelWidth == 400)
    }

    @Test("the bytes of a resource come in chunks, and go to a file")
    func resources() async throws {
        let folder = try Self.photographs(1)
        try await Self.library.importFolder(at: folder.path)
        let asset = try #require(PHAsset.fetchAssets(with: nil).lastObject)
        let resource = try #require(PHAssetResource.assetResources(for: asset).first)
        let original = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/photo-0.png"))
        let chunks = AsyncStream.makeStream(of: Data.self)
        PHAssetResourceManager.default().requestData(for: resource, options: nil) {
            chunks.continuation.yield($0)
        } completionHandler: { _ in
            chunks.continuation.finish()
        }
        var bytes = Data()
        for await chunk in chunks.stream { bytes += chunk }
        #expect(bytes == original)
        let copy = URL(fileURLWithPath: folder.path + "/copy.png")
        try await PHAssetResourceManager.default().writeData(for: resource, toFile: copy, options: nil)
        #expect(try Data(contentsOf: copy) == original)
    }
}
