import TestSupport
import Testing

@testable import Thumbwheel

/// The pipeline evicts nothing for a request that the limits refuse, because the request takes no memory.
@Suite(.endsHangs) struct LimitsBeforeRoomTests {
    private let renderer = SuspendableRenderer(answer: SuspendableRenderer.blankImageOrNoFile)

    private func asset(_ number: Int, _ type: ContentType, side: Int, fileSize: Int = 100) -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 3, low: UInt64(number)),
            head: ImageHead(contentType: type, storedSize: PixelSize(width: side, height: side)), resource: .bytes([]),
            fileSize: fileSize, originalFilename: "")
    }

    /// The number of images that a manager with a full cache evicts for a request.
    private func evictions(for request: (ImageManager) async -> Void) async throws -> Int {
        let manager = ImageManager(renderer, workers: 1, memoryBudget: 64 << 20)
        let caching = CachingImageManager(manager)
        for number in 0..<20 { _ = try await manager.image(for: Pictures.asset(number), targetSize: .small) }
        caching.startCachingImages(for: (20..<40).map { Pictures.asset($0) }, targetSize: .small)
        await request(manager)
        await manager.shutdown()
        return manager.statistics.cache.evictions
    }

    @Test("a head of 65 535 × 65 535 pixels empties no cache")
    func pixels() async throws {
        let bomb = asset(1, .gif, side: 65_535)
        #expect(try await evictions { _ = try? await $0.image(for: bomb, targetSize: .small) } == 0)
    }

    @Test("a target of 60 000 × 60 000 pixels empties no cache")
    func target() async throws {
        let picture = asset(2, .png, side: 64)
        let options = ImageRequestOptions {
            $0.resizeMode = .exact
            $0.allowsUpscaling = true
        }
        let size = PixelSize(width: 60_000, height: 60_000)
        let count = try await evictions {
            _ = try? await $0.image(for: picture, targetSize: size, contentMode: .aspectFill, options: options)
        }
        #expect(count == 0)
    }

    @Test("a file that would be too long to be read empties no cache")
    func bytes() async throws {
        let long = asset(3, .jpeg, side: 100, fileSize: .max)
        #expect(try await evictions { _ = try? await $0.imageData(for: long) } == 0)
    }

    @Test("a render within the limits still gets all the room that it needs")
    func allowed() async throws {
        let large = asset(4, .gif, side: 9000)
        #expect(try await evictions { _ = try? await $0.image(for: large, targetSize: .small) } > 0)
    }

    @Test("a window does not prepare images that the limits refuse")
    func window() async {
        let manager = ImageManager(renderer, workers: 1)
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: [asset(1, .gif, side: 65_535), asset(2, .png, side: 64)], targetSize: .small)
        #expect(caching.window.imageCount == 1)
        await manager.shutdown()
    }
}
