import TestSupport
import Testing
import Thumbwheel

/// Images of videos without a decoder of videos: of the cover picture in the file.
@Suite(.endsHangs) struct VideoCoverTests {
    private let size = PixelSize(width: 64, height: 64)

    /// A picture whose colours tell its columns and rows.
    private static let picture = Bitmap(size: PixelSize(width: 320, height: 180), format: .rgb) { pixels in
        for index in pixels.indices {
            let (column, row) = (index / 3 % 320, index / 960)
            pixels[index] = UInt8(truncatingIfNeeded: [column * 255 / 319, row * 255 / 179, 128][index % 3])
        }
    }

    /// A video of 1920×1080 pixels.
    private func video(_ encoding: ImageEncoding? = .jpeg(quality: 95), pixelCount: Int = 1000) throws -> [UInt8] {
        var file = MovieFile()
        (file.pixelCount, file.isMovieLast) = (pixelCount, true)
        if let encoding {
            let cover = MovieFileItem("covr", type: 13, try Self.picture.encoded(as: encoding))
            file.userData = MovieFileItem.iTunes([cover])
        }
        return file.encoded()
    }

    private func asset(_ source: AssetResource.Source) throws -> Asset {
        try Asset(
            reading: AssetResource(type: .video, source: source), identifier: .random(), originalFilename: "a.mov")
    }

    private func color(of image: Bitmap, column: Int, row: Int) -> [UInt8] {
        let place = row * image.bytesPerRow + column * image.format.bytesPerPixel
        return image.withUnsafeBytes { Array($0[place..<place + 3]) }
    }

    private func manager(byteLimit: Int? = nil) -> ImageManager {
        ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 28
            if let byteLimit { $0.limits.byteCount = byteLimit }
        }
    }

    @Test("the cover is delivered at any size, mode and crop, as if it were a photograph", arguments: [false, true])
    func cover(isPNG: Bool) async throws {
        let (manager, asset) = (manager(), try asset(.bytes(video(isPNG ? .png : .jpeg(quality: 95)))))
        #expect(asset.isVideo && asset.pixelSize == PixelSize(width: 1920, height: 1080))
        let exact = ImageRequestOptions {
            $0.resizeMode = .exact
            $0.deliveryMode = .highQuality
        }
        let fill = try await manager.image(for: asset, targetSize: size, contentMode: .aspectFill, options: exact)
        #expect(fill.size == size)
        let fit = try await manager.image(for: asset, targetSize: size, contentMode: .aspectFit, options: exact)
        #expect(fit.size == PixelSize(width: 64, height: 36))
        // The colours at the corners are those of the picture.
        let (first, last) = (color(of: fit, column: 0, row: 0), color(of: fit, column: 63, row: 35))
        #expect(first[0] < 12 && first[1] < 12 && last[0] > 243 && last[1] > 243)
        var crop = exact
        crop.normalizedCropRect = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
        let half = try await manager.image(for: asset, targetSize: size, contentMode: .aspectFit, options: crop)
        #expect(half.size == PixelSize(width: 57, height: 64) && color(of: half, column: 0, row: 0)[0] > 120)
        // Nothing is enlarged: the cover has 320 columns.
        let largest = try await manager.image(for: asset, targetSize: .maximum, options: exact)
        #expect(largest.size == PixelSize(width: 320, height: 180))
        await manager.shutdown()
    }

    @Test("the result says where the image comes from, and it is the one and only")
    func info() async throws {
        let (manager, asset) = (manager(), try asset(.bytes(video())))
        var images: [DeliveredImage] = []
        for try await image in manager.images(for: asset, targetSize: size) { images.append(image) }
        #expect(images.count == 1)
        let image = try #require(images.first)
        #expect(image.info.source == .embedded && !image.info.isDegraded && image.bitmap.size.width >= 64)
        await manager.shutdown()
    }

    @Test("a video without a cover, or with a damaged one, fails as it did")
    func none() async throws {
        let manager = manager()
        var damaged = MovieFile()
        damaged.userData = MovieFileItem.iTunes([MovieFileItem("covr", type: 13, [0xFF, 0xD8, 0xFF, 0xE0])])
        for bytes in [try video(nil), damaged.encoded()] {
            let asset = try asset(.bytes(bytes))
            await #expect(throws: ImageRequestError.unsupportedMedia) {
                try await manager.image(for: asset, targetSize: size)
            }
            #expect(throws: ImageRequestError.unsupportedMedia) { try asset.makeThumbHash() }
        }
        await manager.shutdown()
    }

    @Test("the length of the video counts neither for limits nor for the budget; that of the cover does")
    func limits() async throws {
        let bytes = try video(pixelCount: 4 << 20)
        let asset = try asset(.bytes(bytes))
        let manager = manager(byteLimit: 1 << 20)
        #expect(try await manager.image(for: asset, targetSize: size).size.width >= 64)
        await manager.shutdown()
        let strict = self.manager(byteLimit: 1 << 10)
        await #expect(throws: ImageRequestError.rendering(.limitExceeded(limit: .bytes))) {
            try await strict.image(for: asset, targetSize: size)
        }
        await strict.shutdown()
    }

    @Test("of a video elsewhere only the cover is fetched, and nothing where ranges are not offered")
    func elsewhere() async throws {
        let bytes = try video(pixelCount: 4 << 20)
        let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
        for offersRanges in [true, false] {
            let provider = StepwiseProvider(bytes, requiresNetwork: true, offersRanges: offersRanges)
            let (manager, asset) = (manager(), try asset(.provider(provider)))
            let before = provider.readByteCount
            #expect(before < 128 << 10)
            if offersRanges {
                let image = try await manager.image(for: asset, targetSize: size, options: options)
                #expect(image.size.width >= 64 && provider.readByteCount - before < 256 << 10)
            } else {
                await #expect(throws: ImageRequestError.unsupportedMedia) {
                    try await manager.image(for: asset, targetSize: size, options: options)
                }
                #expect(provider.readByteCount == before)
            }
            await manager.shutdown()
        }
    }

    @Test("windows prepare covers, and thumb hashes show them")
    func windows() async throws {
        let (manager, asset) = (manager(), try asset(.bytes(video())))
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: [asset], targetSize: size, contentMode: .aspectFill)
        _ = try await manager.image(
            for: self.asset(.bytes(video(.png))), targetSize: size,
            options: ImageRequestOptions { $0.priority = .background })
        let ready = manager.windows.map(\.readyCount)
        #expect(ready == [1] && asset.thumbHash != nil)
        let other = try self.asset(.bytes(video()))
        #expect(try await other.makeThumbHash().aspectRatio == asset.thumbHash?.aspectRatio)
        withExtendedLifetime(caching) {}
        await manager.shutdown()
    }
}
