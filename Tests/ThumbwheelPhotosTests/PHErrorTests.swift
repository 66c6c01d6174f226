import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: errors") struct PHErrorTests {
        private let library = SharedLibrary.library

        @Test("a block in which one request is refused changes nothing, and its error is that of the first refusal")
        func refusal() async throws {
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
            let title = "Refused \(UUID().uuidString)"
            let token = library.currentChangeToken
            let error = await #expect(throws: PHPhotosError.self) {
                try await library.performChanges {
                    _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                    PHAssetChangeRequest(for: asset).isHidden = true
                    PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
                    _ = PHAssetCreationRequest.forAsset()
                }
            }
            #expect(error?.code == .changeNotSupported)
            #expect(try Array(library.fetchPersistentChanges(since: token)).isEmpty)
            #expect(try !SharedLibrary.current(asset).isHidden)
        }

        @Test("errors are caught by class, by number, and as an NSError with domain, number, words and identifiers")
        func catching() throws {
            func throwing(_ error: any Error) throws { throw error }
            do {
                try throwing(PHPhotosError(.userCancelled))
                Issue.record("nothing was thrown")
            } catch PHPhotosError.accessUserDenied {
                Issue.record("another number")
            } catch PHPhotosError.userCancelled {
                // The number that was thrown.
            }
            #expect(!(PHPhotosError.userCancelled ~= CocoaError(.userCancelled)))
            let object = NSError(
                domain: PHPhotosErrorDomain, code: 3202,
                userInfo: [NSLocalizedDescriptionKey: "words", PHLocalIdentifiersErrorKey: ["a", "b"]])
            let error = try #require(PHPhotosError(object))
            #expect(error.code == .multipleIdentifiersFound && error.localizedDescription == "words")
            let bridged = error as NSError
            #expect(bridged.domain == PHPhotosErrorDomain && bridged.code == 3202)
            #expect(bridged.userInfo[PHLocalIdentifiersErrorKey] as? [String] == ["a", "b"])
            #expect(PHPhotosError(NSError(domain: "elsewhere", code: 3202)) == nil)
            #expect(PHPhotosError(NSError(domain: PHPhotosErrorDomain, code: 1)) == nil)
        }

        @Test("every number is PhotoKit's, and has a name to be caught by")
        func numbers() {
            let numbers = [
                -1, 3072, 3105, 3114, 3142, 3143, 3164, 3169, 3201, 3202, 3210, 3300, 3301, 3302, 3303, 3305, 3306,
                3307,
                3310, 3311, 5423,
            ]
            #expect(PHPhotosError.Code.allCases.map(\.rawValue) == numbers)
            let names: [PHPhotosError.Code] = [
                PHPhotosError.internalError, PHPhotosError.userCancelled, PHPhotosError.persistentChangeTokenExpired,
                PHPhotosError.libraryVolumeOffline, PHPhotosError.relinquishingLibraryBundleToWriter,
                PHPhotosError.switchingSystemPhotoLibrary, PHPhotosError.networkAccessRequired,
                PHPhotosError.networkError, PHPhotosError.identifierNotFound, PHPhotosError.multipleIdentifiersFound,
                PHPhotosError.persistentChangeDetailsUnavailable, PHPhotosError.changeNotSupported,
                PHPhotosError.operationInterrupted, PHPhotosError.invalidResource, PHPhotosError.missingResource,
                PHPhotosError.notEnoughSpace, PHPhotosError.requestNotSupportedForAsset, PHPhotosError.limitExceeded,
                PHPhotosError.accessRestricted, PHPhotosError.accessUserDenied,
                PHPhotosError.libraryInFileProviderSyncRoot,
            ]
            #expect(names == PHPhotosError.Code.allCases)
        }

        @Test("each way to change a library throws the class, and a handler receives it")
        func ways() async throws {
            let offline = PHPhotoLibrary(PhotoLibrary())
            offline.library.setUnavailable(because: PHPhotosError(.libraryVolumeOffline))
            let handled = await withCheckedContinuation { continuation in
                offline.performChanges {
                    _ = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "folder")
                } completionHandler: { isDone, error in
                    continuation.resume(returning: isDone ? nil : error)
                }
            }
            #expect((handled as? PHPhotosError)?.code == .libraryVolumeOffline)
            #expect((offline.unavailabilityReason as? PHPhotosError)?.code == .libraryVolumeOffline)
            let token = library.currentChangeToken
            #expect(throws: PHPhotosError.self) { try offline.fetchPersistentChanges(since: token) }
        }

        @Test("a block that waits throws the class, too")
        func waiting() {
            let error = #expect(throws: PHPhotosError.self) {
                try PHPhotoLibrary(PhotoLibrary()).performChangesAndWait { _ = PHAssetCreationRequest.forAsset() }
            }
            #expect(error?.code == .missingResource)
        }

        @Test("an empty target is an error of PhotoKit's domain")
        func failure() async throws {
            let imported = try await SharedLibrary.imported()
            let error = await withCheckedContinuation { continuation in
                let options = PHImageRequestOptions()
                options.deliveryMode = .highQualityFormat
                PHImageManager.default().requestImage(
                    for: imported.asset, targetSize: CGSize(width: -7, height: CGFloat.nan), contentMode: .default,
                    options: options
                ) { image, info in
                    let error = info?[PHImageErrorKey] as? NSError
                    continuation.resume(returning: image == nil ? error.flatMap { PHPhotosError($0) } : nil)
                }
            }
            #expect(error?.code == .internalError)
        }

        @Test("results tell that a photograph is elsewhere, whether its pixels, its file or an edit are requested")
        func elsewhere() async throws {
            let asset = PHAsset(
                Asset(
                    identifier: AssetIdentifier(high: 5, low: 5),
                    head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 40, height: 30)),
                    resource: .provider(SuspendableProvider()), fileSize: 1000, originalFilename: "elsewhere.jpg"))
            @Sendable func facts(_ info: [AnyHashable: Any]?, _ keys: String...) -> [Int?] {
                [(info?[keys[0]] as? NSNumber)?.intValue, (info?[keys[1]] as? NSError)?.code]
            }
            let expected = [1, PHPhotosError.Code.networkAccessRequired.rawValue]
            let ofFile = await withCheckedContinuation { continuation in
                PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) { _, _, _, info in
                    continuation.resume(returning: facts(info, PHImageResultIsInCloudKey, PHImageErrorKey))
                }
            }
            #expect(ofFile == expected)
            let ofPixels = await withCheckedContinuation { continuation in
                PHImageManager.default().requestImage(
                    for: asset, targetSize: CGSize(width: 20, height: 20), contentMode: .aspectFill, options: nil
                ) { _, info in
                    continuation.resume(returning: facts(info, PHImageResultIsInCloudKey, PHImageErrorKey))
                }
            }
            #expect(ofPixels == expected)
            let ofEdit = await withCheckedContinuation { continuation in
                asset.requestContentEditingInput(with: nil) { _, info in
                    continuation.resume(
                        returning: facts(info, PHContentEditingInputResultIsInCloudKey, PHContentEditingInputErrorKey))
                }
            }
            #expect(ofEdit == expected)
        }

        @Test("cloud identifiers are mapped both ways, and each that cannot be has PhotoKit's error")
        func cloud() async throws {
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
            let there = library.cloudIdentifierMappings(forLocalIdentifiers: [asset.localIdentifier, "none"])
            let cloud = try #require(try there[asset.localIdentifier]?.get())
            #expect(throws: PHPhotosError.self) { try there["none"]?.get() }
            let back = library.localIdentifierMappings(for: [PHCloudIdentifier(stringValue: cloud.stringValue)])
            #expect(try back[cloud]?.get() == asset.localIdentifier)
            try imported.folder.write(
                "copy.png", Data(contentsOf: URL(filePath: imported.folder.path + "/photo-0.png")))
            try await library.importFolder(at: imported.folder.path)
            let error = #expect(throws: PHPhotosError.self) {
                try library.localIdentifierMappings(for: [cloud])[cloud]?.get()
            }
            #expect(error?.code == .multipleIdentifiersFound)
            #expect((error?.userInfo[PHLocalIdentifiersErrorKey] as? [String])?.count == 2)
        }
    }
}
