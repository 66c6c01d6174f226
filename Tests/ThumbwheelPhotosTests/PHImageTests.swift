import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: images") struct PHImageTests {
        private let library = PHPhotoLibrary.shared()

        /// A synchronous request's only result.
        private func result(
            _ asset: PHAsset, _ width: Int, _ height: Int, _ mode: PHImageContentMode = .aspectFit,
            _ configure: (PHImageRequestOptions) -> Void = { _ in }
        ) throws -> (image: PHImage?, info: [AnyHashable: Any]?) {
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            configure(options)
            nonisolated(unsafe) var calls: [(PHImage?, [AnyHashable: Any]?)] = []
            PHImageManager.default().requestImage(
                for: asset, targetSize: CGSize(width: width, height: height), contentMode: mode, options: options
            ) { calls.append(($0, $1)) }
            #expect(calls.count == 1)
            return try #require(calls.first)
        }

        @Test("a synchronous request hands its image over before it returns, with facts under PhotoKit's keys")
        func synchronous() async throws {
            let imported = try await SharedLibrary.imported()
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            options.resizeMode = .exact
            nonisolated(unsafe) var calls: [(PHImage?, [AnyHashable: Any]?)] = []
            let id = PHImageManager.default().requestImage(
                for: imported.asset, targetSize: CGSize(width: 100, height: 100), contentMode: .aspectFill,
                options: options
            ) { calls.append(($0, $1)) }
            #expect(calls.count == 1)
            let (image, info) = try #require(calls.first)
            #expect(image?.size == CGSize(width: 100, height: 100))
            // The request has ended, so nothing is left that a name could cancel. Its results are named all the same.
            #expect(id == PHInvalidImageRequestID)
            #expect((info?[PHImageResultRequestIDKey] as? NSNumber)?.int32Value != PHInvalidImageRequestID)
            #expect((info?[PHImageResultIsDegradedKey] as? NSNumber)?.boolValue == false)
            #expect(info?[PHImageErrorKey] == nil && info?[PHImageCancelledKey] == nil)
        }

        @Test("an image that is to hold all light is in linear light, and a copy of the options says so too")
        func highDynamicRange() async throws {
            let imported = try await SharedLibrary.imported()
            let options = PHImageRequestOptions()
            options.preferHDR = true
            let all = [options, try #require(options.copy() as? PHImageRequestOptions), PHImageRequestOptions()]
            let formats = try all.map { options in
                try result(imported.asset, 50, 50) { $0.preferHDR = options.preferHDR }.image?.bitmap.format
            }
            #expect(formats == [.linearRGBA, .linearRGBA, .rgb])
        }

        @Test("no resizing is the default, the modes are PhotoKit's, and crops count where the size is exact")
        func sizes() async throws {
            let imported = try await SharedLibrary.imported()
            func size(
                _ mode: PHImageContentMode = .aspectFit, _ configure: (PHImageRequestOptions) -> Void = { _ in }
            ) throws -> CGSize? {
                try result(imported.asset, 100, 100, mode, configure).image?.size
            }
            // A PNG has no smaller scale of its own than the whole picture.
            #expect(try size() == CGSize(width: 400, height: 300))
            #expect(try size { $0.resizeMode = .exact } == CGSize(width: 100, height: 75))
            #expect(try size(.aspectFill) { $0.resizeMode = .exact } == CGSize(width: 100, height: 100))
            let fast = try #require(try size { $0.resizeMode = .fast })
            #expect(fast.width >= 100 && fast.width < 200)
            let crop = CGRect(x: 0, y: 0, width: 0.25, height: 1)
            #expect(
                try size { options in
                    options.resizeMode = .exact
                    options.normalizedCropRect = crop
                } == CGSize(width: 33, height: 100))
            #expect(try size { $0.normalizedCropRect = crop } == CGSize(width: 400, height: 300))
            let whole = try result(imported.asset, -1, -1) { $0.resizeMode = .exact }
            #expect(PHImageManagerMaximumSize == CGSize(width: -1, height: -1))
            #expect(whole.image?.size == CGSize(width: 400, height: 300))
        }

        @Test("choices have PhotoKit's numbers, and options its defaults, which a copy keeps")
        func options() throws {
            #expect([PHImageContentMode.aspectFit, .aspectFill, .default].map(\.rawValue) == [0, 1, 0])
            #expect([PHImageRequestOptionsVersion.current, .unadjusted, .original].map(\.rawValue) == [0, 1, 2])
            let modes: [PHImageRequestOptionsDeliveryMode] = [.opportunistic, .highQualityFormat, .fastFormat]
            #expect(modes.map(\.rawValue) == [0, 1, 2])
            #expect([PHImageRequestOptionsResizeMode.none, .fast, .exact].map(\.rawValue) == [0, 1, 2])
            let options = PHImageRequestOptions()
            #expect(options.version == .current && options.deliveryMode == .opportunistic)
            #expect(options.resizeMode == .none && options.normalizedCropRect == .zero)
            #expect(!options.isNetworkAccessAllowed && !options.isSynchronous && !options.preferHDR)
            #expect(!options.allowSecondaryDegradedImage && options.progressHandler == nil)
            (options.version, options.deliveryMode, options.resizeMode) = (.original, .fastFormat, .exact)
            options.normalizedCropRect = CGRect(x: 0, y: 0, width: 1, height: 0.5)
            (options.isNetworkAccessAllowed, options.isSynchronous) = (true, true)
            (options.allowSecondaryDegradedImage, options.progressHandler) = (true, { _, _, _, _ in })
            let copy = try #require(options.copy() as? PHImageRequestOptions)
            options.version = .current
            #expect(copy.version == .original && copy.deliveryMode == .fastFormat && copy.resizeMode == .exact)
            #expect(copy.normalizedCropRect == CGRect(x: 0, y: 0, width: 1, height: 0.5))
            #expect(copy.isNetworkAccessAllowed && copy.isSynchronous && copy.allowSecondaryDegradedImage)
            #expect(copy.progressHandler != nil)
            let video = PHVideoRequestOptions()
            #expect(video.version == .current && video.deliveryMode == .automatic && !video.isNetworkAccessAllowed)
            (video.version, video.deliveryMode, video.isNetworkAccessAllowed) = (.original, .fastFormat, true)
            let copied = try #require(video.copy() as? PHVideoRequestOptions)
            #expect(copied.version == .original && copied.deliveryMode == .fastFormat && copied.isNetworkAccessAllowed)
            let qualities: [PHVideoRequestOptionsDeliveryMode] = [
                .automatic, .highQualityFormat, .mediumQualityFormat, .fastFormat,
            ]
            #expect(qualities.map(\.rawValue) == [0, 1, 2, 3])
        }

        @Test("the file of a version comes as it is, with its type and orientation")
        func data() async throws {
            let imported = try await SharedLibrary.imported()
            let file = try Data(contentsOf: URL(fileURLWithPath: imported.folder.path + "/photo-0.png"))
            let manager = PHImageManager(ImageManager.undisturbed())
            for isSynchronous in [true, false] {
                let received = await withCheckedContinuation { continuation in
                    let options = PHImageRequestOptions()
                    options.isSynchronous = isSynchronous
                    let id = manager.requestImageDataAndOrientation(for: imported.asset, options: options) {
                        data, type, orientation, info in
                        #expect((info?[PHImageResultIsInCloudKey] as? NSNumber)?.boolValue == false)
                        continuation.resume(returning: (data, type, orientation))
                    }
                    #expect((id == PHInvalidImageRequestID) == isSynchronous)
                }
                #expect(received.0 == file && received.1 == "image/png" && received.2 == .up)
            }
        }

        @Test("progress is told with the request's name, and can stop it")
        func progress() async throws {
            let provider = SuspendableProvider("remote", SharedLibrary.picture(width: 40, height: 30))
            let asset = PHAsset(
                Asset(
                    identifier: .random(),
                    head: ImageHead(contentType: .png, storedSize: PixelSize(width: 40, height: 30)),
                    resource: .provider(provider), fileSize: 1000, originalFilename: "remote.png"))
            let heard = Mutex<[(Double, Int32?)]>([])
            let options = PHImageRequestOptions()
            options.isNetworkAccessAllowed = true
            options.progressHandler = { progress, error, stop, info in
                heard.withLock { $0.append((progress, (info?[PHImageResultRequestIDKey] as? NSNumber)?.int32Value)) }
                stop.pointee = ObjCBool(error == nil && progress == 0.5)
            }
            let ends = AsyncStream.makeStream(of: Bool.self)
            let id = PHImageManager.default().requestImage(
                for: asset, targetSize: CGSize(width: 20, height: 20), contentMode: .aspectFit, options: options
            ) { image, info in
                ends.continuation.yield(image == nil && (info?[PHImageCancelledKey] as? NSNumber)?.boolValue == true)
            }
            await provider.waitForFetches()
            provider.progress(to: 0.5)
            var iterator = ends.stream.makeAsyncIterator()
            #expect(await iterator.next() == true)
            #expect(heard.withLock { $0.contains { $0 == (0.5, id) } })
        }

        @Test("a request that is cancelled says so once, whoever comes first")
        func cancelled() async throws {
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
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

        @Test("a caching manager has a window of its own, which its stops empty")
        func caching() async throws {
            let imported = try await SharedLibrary.imported(2)
            let manager = ImageManager.undisturbed()
            let caching = PHCachingImageManager(manager)
            #expect(caching.allowsCachingHighQualityImages && PHImageManager.default() === PHImageManager.default())
            caching.allowsCachingHighQualityImages = false
            #expect(!caching.allowsCachingHighQualityImages)
            let size = CGSize(width: 30, height: 30)
            func start() {
                caching.startCachingImages(
                    for: imported.assets, targetSize: size, contentMode: .aspectFill, options: nil)
            }
            start()
            start()
            #expect(manager.windows.map(\.imageCount) == [2])
            caching.stopCachingImages(
                for: [imported.asset], targetSize: size, contentMode: .aspectFill, options: PHImageRequestOptions())
            #expect(manager.windows.map(\.imageCount) == [1])
            caching.stopCachingImagesForAllAssets()
            #expect(manager.windows.map(\.imageCount) == [0])
        }

        @Test("what is no video cannot be played or exported")
        func videos() async throws {
            let imported = try await SharedLibrary.imported()
            let manager = PHImageManager(ImageManager.undisturbed())
            let errors = Mutex<[Int?]>([])
            let ends = AsyncStream.makeStream(of: Void.self)
            @Sendable func end(_ info: [AnyHashable: Any]?) {
                errors.withLock { $0.append((info?[PHImageErrorKey] as? NSError)?.code) }
                ends.continuation.yield()
            }
            let ids = [
                manager.requestPlayerItem(forVideo: imported.asset, options: nil) { end($1) },
                manager.requestAVAsset(forVideo: imported.asset, options: nil) { end($2) },
                manager.requestExportSession(forVideo: imported.asset, options: nil, exportPreset: "any") { end($1) },
            ]
            var iterator = ends.stream.makeAsyncIterator()
            for _ in 0..<3 { await iterator.next() }
            let number = PHPhotosError.Code.requestNotSupportedForAsset.rawValue
            #expect(errors.withLock { $0 } == [number, number, number] && Set(ids).count == 3)
        }
    }
}
