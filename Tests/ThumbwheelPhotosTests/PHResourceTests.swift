import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: resources") struct PHResourceTests {
        private let manager = PHAssetResourceManager.default()

        @Test("the bytes of a resource come in chunks, and go to a file")
        func bytes() async throws {
            let imported = try await SharedLibrary.imported()
            let resource = try #require(PHAssetResource.assetResources(for: imported.asset).first)
            let original = try Data(contentsOf: URL(fileURLWithPath: imported.folder.path + "/photo-0.png"))
            let chunks = AsyncStream.makeStream(of: Data.self)
            manager.requestData(for: resource, options: nil) {
                chunks.continuation.yield($0)
            } completionHandler: { _ in
                chunks.continuation.finish()
            }
            var bytes = Data()
            for await chunk in chunks.stream { bytes += chunk }
            #expect(bytes == original)
            let copies = ["copy.png", "other.png"].map { URL(fileURLWithPath: imported.folder.path + "/" + $0) }
            try await manager.writeData(for: resource, toFile: copies[0], options: nil)
            let error = await withCheckedContinuation { continuation in
                manager.writeData(for: resource, toFile: copies[1], options: nil) { continuation.resume(returning: $0) }
            }
            #expect(error == nil && manager === PHAssetResourceManager.default())
            for copy in copies { #expect(try Data(contentsOf: copy) == original) }
        }

        @Test("a resource tells its asset, name, type and size, and equals another with the same bytes")
        func facts() async throws {
            let imported = try await SharedLibrary.imported()
            let resources = PHAssetResource.assetResources(for: imported.asset)
            let resource = try #require(resources.first)
            #expect(resources.count == 1 && resource.assetLocalIdentifier == imported.asset.localIdentifier)
            #expect(resource.type == .photo && resource.originalFilename == "photo-0.png")
            #expect(resource.contentType == .png && resource.uniformTypeIdentifier == "image/png")
            #expect(resource.pixelWidth == 400 && resource.pixelHeight == 300)
            let again = try #require(PHAssetResource.assetResources(for: imported.asset).first)
            #expect(again == resource && again.hash == resource.hash && again !== resource)
            let types: [PHAssetResourceType] = [
                .photo, .video, .audio, .alternatePhoto, .fullSizePhoto, .fullSizeVideo, .adjustmentData,
                .adjustmentBasePhoto, .pairedVideo, .fullSizePairedVideo, .adjustmentBasePairedVideo,
                .adjustmentBaseVideo, .photoProxy,
            ]
            #expect(types.map(\.rawValue) == Array(1...12) + [19])
        }

        @Test("what is elsewhere needs leave to use the network, and a request can be cancelled")
        func elsewhere() async throws {
            let provider = SuspendableProvider("elsewhere", [1, 2, 3])
            let asset = PHAsset(
                Asset(
                    identifier: .random(),
                    head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 1, height: 1)),
                    resource: .provider(provider), fileSize: 3, originalFilename: "a.jpg"))
            let resource = try #require(PHAssetResource.assetResources(for: asset).first)
            let folder = try ScratchFolder()
            let file = URL(fileURLWithPath: folder.path + "/a.jpg")
            let refused = await #expect(throws: PHPhotosError.self) {
                try await manager.writeData(for: resource, toFile: file, options: nil)
            }
            #expect(refused?.code == .networkAccessRequired)
            let options = PHAssetResourceRequestOptions()
            options.isNetworkAccessAllowed = true
            options.progressHandler = { _ in }
            let copy = try #require(options.copy() as? PHAssetResourceRequestOptions)
            #expect(copy.isNetworkAccessAllowed && copy.progressHandler != nil && copy !== options)
            let stepwise = StepwiseProvider(
                [UInt8](repeating: 7, count: 1000), requiresNetwork: true, isSuspended: true)
            let remote = PHAsset(
                Asset(
                    identifier: .random(),
                    head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 1, height: 1)),
                    resource: .provider(stepwise), fileSize: 1000, originalFilename: "b.jpg"))
            let waiting = try #require(PHAssetResource.assetResources(for: remote).first)
            let ends = AsyncStream.makeStream(of: PHPhotosError.Code?.self)
            let id = manager.requestData(for: waiting, options: copy) { _ in
            } completionHandler: { error in
                ends.continuation.yield((error as? PHPhotosError)?.code)
            }
            manager.cancelDataRequest(id)
            stepwise.resume()
            var iterator = ends.stream.makeAsyncIterator()
            #expect(await iterator.next() == .userCancelled)
        }
    }
}
