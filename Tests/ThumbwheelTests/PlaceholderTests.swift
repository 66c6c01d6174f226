import TestSupport
import Testing
import Thumbwheel

@Suite(.endsHangs) struct PlaceholderTests {
    private let size = PixelSize(width: 64, height: 64)

    /// A picture of its own in a PNG.
    private func asset(_ number: Int, width: Int = 300, height: Int = 200) throws -> Asset {
        let picture = Bitmap(size: PixelSize(width: width, height: height), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: (index / 3 % width + number) / 2) }
        }
        return try Asset(
            reading: .bytes(picture.encoded(as: .png)), identifier: AssetIdentifier(high: 1, low: UInt64(number)),
            originalFilename: "\(number).png")
    }

    private func manager(makesThumbHashes: Bool = true) -> ImageManager {
        ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 28
            $0.makesThumbHashes = makesThumbHashes
        }
    }

    @Test("the first image of an asset leaves its hash, of the whole photograph and not of the cell's part")
    func inPassing() async throws {
        let (manager, asset) = (manager(), try asset(1))
        #expect(asset.thumbHash == nil && manager.placeholder(for: asset) == nil)
        _ = try await manager.image(for: asset, targetSize: size, contentMode: .aspectFill)
        let hash = try #require(asset.thumbHash)
        #expect(hash.aspectRatio == 7.0 / 5)
        // Of the asset's own aspect, which the hash only comes near.
        #expect(manager.placeholder(for: asset)?.size == PixelSize(width: 32, height: 21))
        // Made once.
        _ = try await manager.image(for: asset, targetSize: .maximum)
        #expect(asset.thumbHash == hash)
        await manager.shutdown()
    }

    @Test("encoded images, windows and several sizes leave it too", arguments: 0..<3)
    func ways(way: Int) async throws {
        let (manager, asset) = (manager(), try asset(1))
        switch way {
        case 0: _ = try await manager.imageData(for: asset, targetSize: size, encoding: .jpeg(quality: 80))
        case 1:
            let caching = CachingImageManager(manager)
            caching.startCachingImages(for: [asset], targetSize: size, contentMode: .aspectFill)
            // Less urgent than any window: when it comes, that is filled.
            _ = try await manager.image(
                for: self.asset(2), targetSize: size, options: ImageRequestOptions { $0.priority = .background })
            withExtendedLifetime(caching) {}
        default:
            async let one = manager.image(for: asset, targetSize: size)
            async let other = manager.image(for: asset, targetSize: PixelSize(width: 20, height: 20))
            _ = try await (one, other)
        }
        #expect(asset.thumbHash != nil)
        await manager.shutdown()
    }

    @Test("what shows another picture leaves none: another version, a file handed out, a manager that is told not to")
    func notInPassing() async throws {
        let library = PhotoLibrary()
        let asset = try asset(1)
        await library.add([asset])
        try await library.performChanges { changes in
            try changes.setAdjusted(
                asset, rendering: .bytes(Pictures.bitmap(side: 40).encoded(as: .png)),
                adjustmentData: AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: []))
        }
        let adjusted = try #require(library.asset(withIdentifier: asset.identifier))
        let manager = manager()
        _ = try await manager.image(
            for: adjusted, targetSize: size, options: ImageRequestOptions { $0.version = .unadjusted })
        _ = try await manager.imageData(for: adjusted)
        #expect(adjusted.thumbHash == nil)
        _ = try await manager.image(for: adjusted, targetSize: size)
        #expect(adjusted.thumbHash?.aspectRatio == 1)
        let other = self.manager(makesThumbHashes: false)
        _ = try await other.image(for: asset, targetSize: size)
        #expect(asset.thumbHash == nil)
        await manager.shutdown()
        await other.shutdown()
    }

    @Test("a hash can be made without an image, once, and its asset's file may be damaged")
    func made() throws {
        let asset = try asset(1)
        let hash = try asset.makeThumbHash()
        #expect(try asset.thumbHash == hash && asset.makeThumbHash() == hash)
        let bytes = try self.asset(2).resource.open().bytes()
        let damaged = try Asset(
            reading: .bytes(Array(bytes.prefix(bytes.count / 2))), identifier: AssetIdentifier(high: 1, low: 3),
            originalFilename: "damaged.png")
        #expect(throws: ImageRequestError.self) { try damaged.makeThumbHash() }
        #expect(throws: ImageRequestError.unsupportedMedia) { try Pictures.asset(4, mediaType: .video).makeThumbHash() }
        #expect(ImportOptions.withThumbHashes.thumbHash?(damaged) == nil)
        #expect(ImportOptions.withThumbHashes.thumbHash?(asset) == hash)
    }
}
