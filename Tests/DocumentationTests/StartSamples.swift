import Thumbwheel

/// First steps: README and the article on embedding.
enum StartSamples {
    final class Cell: Sendable {
        func show(_ bitmap: Bitmap?) {}
        func show(_ error: ImageRequestError) {}
    }

    static func tenLines() async throws {
        // begin ten lines
        let library = PhotoLibrary()
        try await library.importFolder(at: CommandLine.arguments[1])
        let manager = ImageManager()
        for asset in library.fetchAssets() {
            let bitmap = try? await manager.image(
                for: asset, targetSize: PixelSize(width: 256, height: 256), contentMode: .aspectFill)
            print(asset.originalFilename, asset.pixelSize, bitmap.map { "\($0.size)" } ?? "cannot be rendered")
        }
        // end
    }

    static func request(_ asset: Asset, from manager: ImageManager, size: PixelSize, into cell: Cell) {
        // begin request
        let id = manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill) { result in
            switch result {
            case .degraded(let bitmap, _): cell.show(bitmap)  // any number of times
            case .final(let bitmap, _): cell.show(bitmap)  // then exactly one of these three
            case .failed(let error, _): cell.show(error)
            case .cancelled: break
            }
        }
        manager.cancelImageRequest(id)
        // end
    }

    static func sequence(_ asset: Asset, from manager: ImageManager, size: PixelSize, into cell: Cell) async throws {
        // begin sequence
        for try await image in manager.images(for: asset, targetSize: size) {
            cell.show(image.bitmap)
        }
        // end
    }

    static func placeholder(
        _ asset: Asset, from manager: ImageManager, in library: PhotoLibrary, at folder: String, into cell: Cell
    ) async throws {
        // begin placeholder
        cell.show(manager.placeholder(for: asset))  // nil until the asset has been decoded once
        print(asset.thumbHash?.base64EncodedString() ?? "")  // 28 characters, for web clients to paint
        try await library.importFolder(at: folder, options: .withThumbHashes)  // every asset has one from the start
        // end
    }

    static func versions(_ asset: Asset, from manager: ImageManager, size: PixelSize) async throws -> Bitmap {
        // begin versions
        let before = try await manager.image(
            for: asset, targetSize: size, options: ImageRequestOptions { $0.version = .unadjusted })
        // end
        return before
    }

    static func oneThumbnail(path: String) async throws -> [UInt8] {
        // begin one thumbnail
        let bitmap = try await Thumbnail.image(atPath: path, size: PixelSize(width: 256, height: 256))
        let jpeg = try bitmap.encoded(as: .jpeg(quality: 85))
        // end
        return jpeg
    }
}
