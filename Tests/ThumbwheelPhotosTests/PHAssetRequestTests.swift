import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

@testable import ThumbwheelAssets

extension PhotoKitTests {
    @Suite("PhotoKit: requests that create and change assets") struct PHAssetRequestTests {
        private let library = SharedLibrary.library

        /// Creates an asset in a block, and returns it.
        private func created(_ request: @escaping @Sendable () -> PHAssetChangeRequest?) async throws -> PHAsset {
            nonisolated(unsafe) var placeholder: PHObjectPlaceholder?
            try await library.performChanges { placeholder = request()?.placeholderForCreatedAsset }
            return try SharedLibrary.created(placeholder)
        }

        @Test("an asset made of files has its placeholder before the files are named, and is in the album of its block")
        func creation() async throws {
            let folder = try SharedLibrary.photographs(1)
            let file = URL(fileURLWithPath: folder.path + "/photo-0.png")
            nonisolated(unsafe) var placeholders: [PHObjectPlaceholder] = []
            try await library.performChanges {
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
            #expect(FileManager.default.fileExists(atPath: file.path))
        }

        @Test("an image becomes a photograph, and files become assets or are none")
        func shortForms() async throws {
            let image = PHImage(Bitmap(size: PixelSize(width: 12, height: 8), format: .rgb) { _ in })
            let drawn = try await created { PHAssetChangeRequest.creationRequestForAsset(from: image) }
            #expect(drawn.pixelWidth == 12 && drawn.pixelHeight == 8 && drawn.contentType == .jpeg)
            let folder = try SharedLibrary.photographs(1)
            let file = URL(fileURLWithPath: folder.path + "/photo-0.png")
            let read = try await created { PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file) }
            #expect(read.pixelWidth == 400)
            let text = URL(fileURLWithPath: try folder.write("a.jpg", [1, 2, 3]))
            try await library.performChanges {
                #expect(PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: text) == nil)
                #expect(PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: text) == nil)
            }
            let types: [[PHAssetResourceType]] = [
                [.photo], [.photo, .pairedVideo], [.pairedVideo], [.photo, .fullSizePhoto],
            ]
            #expect(types.map { PHAssetCreationRequest.supportsAssetResourceTypes($0) } == [true, true, false, false])
        }

        @Test("each property takes the value that was set last, and deleted assets wait in Recently Deleted")
        func properties() async throws {
            let imported = try await SharedLibrary.imported(2)
            let assets = imported.assets
            let date = Date(timeIntervalSince1970: 5)
            try await library.performChanges {
                let request = PHAssetChangeRequest(for: assets[0])
                request.creationDate = Date()
                request.creationDate = date
                request.location = Location(latitude: 3, longitude: 4)
                request.isFavorite = true
                request.isHidden = true
            }
            let edited = try SharedLibrary.current(assets[0])
            #expect(edited.creationDate == date && edited.location == Location(latitude: 3, longitude: 4))
            #expect(edited.isFavorite && edited.isHidden)
            try await library.performChanges { PHAssetChangeRequest.deleteAssets([assets[1]] as NSArray) }
            #expect(SharedLibrary.fetched([assets[1].localIdentifier]).isEmpty)
            let trash = PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum, subtype: .smartAlbumRecentlyDeleted, options: nil)
            #expect(PHAsset.fetchAssets(in: try #require(trash.firstObject), options: nil).contains(assets[1]))
        }

        @Test("bytes must be of the type that the options state, in both spellings")
        func types() async throws {
            let bytes = Data(SharedLibrary.picture(width: 20, height: 10))
            let options = PHAssetResourceCreationOptions()
            options.uniformTypeIdentifier = "image/jpeg"
            #expect(options.contentType == .jpeg)
            let copy = try #require(options.copy() as? PHAssetResourceCreationOptions)
            copy.contentType = .png
            #expect(options.uniformTypeIdentifier == "image/jpeg" && copy.uniformTypeIdentifier == "image/png")
            nonisolated(unsafe) let (wrong, right) = (options, copy)
            let error = await #expect(throws: PHPhotosError.self) {
                try await library.performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: bytes, options: wrong)
                }
            }
            #expect(error?.code == .invalidResource)
            let asset = try await created {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: bytes, options: right)
                return request
            }
            let resource = try #require(PHAssetResource.assetResources(for: asset).first)
            #expect(resource.contentType == .png && resource.pixelWidth == 20 && resource.pixelHeight == 10)
        }

        @Test("a file that is to move goes into the library's folder when the block takes place, and stays otherwise")
        func moving() async throws {
            let (folder, originals) = (try SharedLibrary.photographs(2), try ScratchFolder())
            let library = PHPhotoLibrary(PhotoLibrary())
            #expect(library.originalsFolder.path.hasSuffix("/Thumbwheel/Originals"))
            library.originalsFolder = URL(fileURLWithPath: originals.path + "/made/by/need")
            let files = ["0", "1"].map { URL(fileURLWithPath: folder.path + "/photo-\($0).png") }
            let bytes = try Data(contentsOf: files[0])
            // A program that another test has just started has the file open for writing until it has replaced the process
            // of the tests, and such a file does not move.
            while FileStatus.isOpenForWriting(files[0].path) { await Task.yield() }
            @Sendable func addFirst() {
                let options = PHAssetResourceCreationOptions()
                options.shouldMoveFile = true
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, fileURL: files[0], options: options)
                request.addResource(with: .alternatePhoto, fileURL: files[1], options: nil)
            }
            await #expect(throws: PHPhotosError.self) {
                try await library.performChanges {
                    addFirst()
                    _ = PHAssetCreationRequest.forAsset()
                }
            }
            func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
            #expect(isThere(files[0].path) && library.library.fetchAssets().isEmpty)
            let moved = originals.path + "/made/by/need/photo-0.png"
            #expect(!isThere(moved))
            try await library.performChanges { addFirst() }
            #expect(!isThere(files[0].path) && isThere(files[1].path))
            #expect(try Data(contentsOf: URL(fileURLWithPath: moved)) == bytes)
            let resources = try #require(library.library.fetchAssets().firstObject).resources
            #expect(resources.map(\.filePath) == [moved, files[1].path])
        }

        @Test("a file with a second name, or that somebody writes, does not move")
        func unmovable() async throws {
            let (folder, originals) = (try SharedLibrary.photographs(2), try ScratchFolder())
            let library = PHPhotoLibrary(PhotoLibrary())
            library.originalsFolder = URL(fileURLWithPath: originals.path)
            let linked = URL(fileURLWithPath: folder.path + "/photo-0.png")
            try FileManager.default.linkItem(atPath: linked.path, toPath: folder.path + "/second.png")
            let written = URL(fileURLWithPath: folder.path + "/photo-1.png")
            let writer = try FileHandle(forUpdating: written)
            for file in [linked, written] {
                let error = await #expect(throws: PHPhotosError.self) {
                    try await library.performChanges {
                        let options = PHAssetResourceCreationOptions()
                        options.shouldMoveFile = true
                        PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: file, options: options)
                    }
                }
                #expect(error?.code == .invalidResource && FileManager.default.fileExists(atPath: file.path))
            }
            try writer.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: originals.path).isEmpty)
        }
    }
}
