import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

extension PhotoKitTests {
    @Suite("PhotoKit: editing") struct PHEditingTests {
        private let library = SharedLibrary.library
        private let recipe = PHAdjustmentData(
            formatIdentifier: "thumbwheel.test", formatVersion: "1", data: Data([1, 2, 3]))

        private func input(of asset: PHAsset, canHandle: Bool = false) async -> PHContentEditingInput? {
            await withCheckedContinuation { continuation in
                let options = PHContentEditingInputRequestOptions()
                options.canHandleAdjustmentData = { _ in canHandle }
                asset.requestContentEditingInput(with: options) { input, _ in continuation.resume(returning: input) }
            }
        }

        private func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

        @Test("an edit is committed with its recipe, read again by an editor that knows it, and reverted")
        func editing() async throws {
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
            let first = try #require(await input(of: asset))
            #expect(first.adjustmentData == nil && first.displaySizeImage?.size == CGSize(width: 400, height: 300))
            let output = PHContentEditingOutput(contentEditingInput: first)
            output.adjustmentData = recipe
            try Data(SharedLibrary.picture(width: 200, height: 150)).write(to: output.renderedContentURL)
            try await library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
            let edited = try SharedLibrary.current(asset)
            #expect(edited.hasAdjustments && edited.pixelWidth == 200)
            #expect(edited.adjustmentFormatIdentifier == "thumbwheel.test")
            let known = try #require(await input(of: edited, canHandle: true))
            #expect(known.adjustmentData?.data == Data([1, 2, 3]) && known.displaySizeImage?.size.width == 400)
            #expect(known.adjustmentData?.formatIdentifier == "thumbwheel.test")
            #expect(known.adjustmentData?.formatVersion == "1")
            let unknown = try #require(await input(of: edited))
            #expect(unknown.adjustmentData == nil && unknown.displaySizeImage?.size.width == 200)
            let resources = PHAssetResource.assetResources(for: edited)
            #expect(resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
            #expect(resources.map(\.pixelWidth) == [400, 200, 0] && resources.map(\.pixelHeight) == [300, 150, 0])
            try await library.performChanges { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
            let reverted = try SharedLibrary.current(asset)
            #expect(!reverted.hasAdjustments && reverted.pixelWidth == 400)
        }

        @Test("the input of an edit tells what the asset is, and where its file lies")
        func facts() async throws {
            let imported = try await SharedLibrary.imported()
            let input = try #require(await input(of: imported.asset))
            #expect(input.mediaType == .image && input.mediaSubtypes == [] && input.playbackStyle == .image)
            #expect(input.creationDate == imported.asset.creationDate && input.location == nil)
            #expect(input.contentType == .png && input.uniformTypeIdentifier == "image/png")
            let url = try #require(input.fullSizeImageURL)
            #expect(url.path.hasSuffix("/photo-0.png") && isThere(url) && input.fullSizeImageOrientation == 1)
        }

        @Test("a rendering may be of any type that can be read; the place that was asked for last counts")
        func typedRenderings() async throws {
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
            let output = PHContentEditingOutput(contentEditingInput: try #require(await input(of: asset)))
            let (types, standard) = (output.supportedRenderedContentTypes, output.renderedContentURL)
            #expect(types.contains(.png) && types.contains(.heic) && !types.contains(.dng))
            #expect(output.defaultRenderedContentType == .jpeg && standard.pathExtension == "jpg")
            #expect(try output.renderedContentURL(for: .jpeg) == standard)
            #expect(throws: PHPhotosError.self) { try output.renderedContentURL(for: .dng) }
            let png = try output.renderedContentURL(for: .png)
            #expect(png.pathExtension == "png" && png != standard)
            try Data(SharedLibrary.picture(width: 30, height: 20)).write(to: standard)
            try Data(SharedLibrary.picture(width: 60, height: 40)).write(to: png)
            output.adjustmentData = recipe
            try await library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
            #expect(try SharedLibrary.current(asset).pixelWidth == 60)
        }

        @Test("renderings, drawn pictures and bytes lie in files of the library's folder, and in none after a refusal")
        func files() async throws {
            let originals = URL(fileURLWithPath: library.originalsFolder.path)
            func names() throws -> Set<String> {
                Set(try FileManager.default.contentsOfDirectory(atPath: originals.path))
            }
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
            let output = PHContentEditingOutput(contentEditingInput: try #require(await input(of: asset)))
            output.adjustmentData = recipe
            let rendering = SharedLibrary.picture(width: 200, height: 150)
            try Data(rendering).write(to: output.renderedContentURL)
            // An editor that has its file open still does not stop the edit.
            let writer = try FileHandle(forUpdating: output.renderedContentURL)
            try await library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
            try writer.close()
            let edited = try SharedLibrary.current(asset).asset.resources
            let path = try #require(edited.first { $0.type == .fullSizePhoto }?.filePath)
            #expect(path.hasPrefix(originals.path + "/") && path.hasSuffix(".png"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(rendering))
            nonisolated(unsafe) var placeholders: [PHObjectPlaceholder?] = []
            let image = PHImage(Bitmap(size: PixelSize(width: 12, height: 8), format: .rgb) { _ in })
            let bytes = Data(SharedLibrary.picture(width: 20, height: 10))
            try await library.performChanges {
                placeholders.append(
                    PHAssetChangeRequest.creationRequestForAsset(from: image).placeholderForCreatedAsset)
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: bytes, options: nil)
                placeholders.append(request.placeholderForCreatedAsset)
            }
            for placeholder in placeholders {
                let resources = try SharedLibrary.created(placeholder).asset.resources
                #expect(resources.count == 1 && resources[0].filePath?.hasPrefix(originals.path + "/") == true)
            }
            // A block that is refused leaves no file.
            let before = try names()
            let other = PHContentEditingOutput(contentEditingInput: try #require(await input(of: asset)))
            other.adjustmentData = recipe
            try Data(SharedLibrary.picture(width: 20, height: 15)).write(to: other.renderedContentURL)
            await #expect(throws: PHPhotosError.self) {
                try await library.performChanges {
                    _ = PHAssetChangeRequest.creationRequestForAsset(from: image)
                    PHAssetChangeRequest(for: asset).contentEditingOutput = other
                    _ = PHAssetCreationRequest.forAsset()
                }
            }
            #expect(try names() == before)
        }

        @Test("the files of an output go with it")
        func temporaryFiles() async throws {
            let imported = try await SharedLibrary.imported()
            let input = try #require(await input(of: imported.asset))
            var urls: [URL] = []
            do {
                let output = PHContentEditingOutput(contentEditingInput: input)
                urls = [output.renderedContentURL, try output.renderedContentURL(for: .png)]
                for url in urls { try Data([1]).write(to: url) }
                #expect(urls.allSatisfy { isThere($0) })
            }
            #expect(urls.count == 2 && !urls.contains { isThere($0) })
        }

        @Test("an asset is edited in the block that creates it")
        func created() async throws {
            let bytes = Data(SharedLibrary.picture(width: 40, height: 30))
            nonisolated(unsafe) var placeholder: PHObjectPlaceholder?
            try await library.performChanges { [recipe] in
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: bytes, options: nil)
                placeholder = request.placeholderForCreatedAsset
                let output = PHContentEditingOutput(placeholderForCreatedAsset: placeholder!)
                output.adjustmentData = recipe
                try! Data(SharedLibrary.picture(width: 20, height: 15)).write(to: output.renderedContentURL)
                request.contentEditingOutput = output
            }
            let asset = try SharedLibrary.created(placeholder)
            #expect(asset.hasAdjustments && asset.pixelWidth == 20)
            try await library.performChanges { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
            #expect(try SharedLibrary.current(asset).pixelWidth == 40)
        }

        @Test("an output without a recipe or without a rendering makes its block fail")
        func incomplete() async throws {
            let imported = try await SharedLibrary.imported()
            let asset = imported.asset
            let input = try #require(await input(of: asset))
            for hasRecipe in [true, false] {
                let output = PHContentEditingOutput(contentEditingInput: input)
                if hasRecipe {
                    output.adjustmentData = recipe
                } else {
                    try Data(SharedLibrary.picture(width: 20, height: 15)).write(to: output.renderedContentURL)
                }
                let error = await #expect(throws: PHPhotosError.self) {
                    try await library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
                }
                #expect(error?.code == .invalidResource)
            }
            #expect(try !SharedLibrary.current(asset).hasAdjustments)
        }

        @Test("a request for an input that is cancelled says so under PhotoKit's key")
        func cancelled() async throws {
            let provider = SuspendableProvider("edit", SharedLibrary.picture(width: 40, height: 30))
            let asset = PHAsset(
                Asset(
                    identifier: .random(),
                    head: ImageHead(contentType: .png, storedSize: PixelSize(width: 40, height: 30)),
                    resource: .provider(provider), fileSize: 1000, originalFilename: "a.png"))
            let options = PHContentEditingInputRequestOptions()
            options.isNetworkAccessAllowed = true
            let ends = AsyncStream.makeStream(of: Bool?.self)
            let id = asset.requestContentEditingInput(with: options) { input, info in
                let isCancelled = (info[PHContentEditingInputCancelledKey] as? NSNumber)?.boolValue
                ends.continuation.yield(input == nil ? isCancelled : nil)
            }
            await provider.waitForFetches()
            asset.cancelContentEditingInputRequest(id)
            var iterator = ends.stream.makeAsyncIterator()
            #expect(await iterator.next() == true)
        }
    }
}
