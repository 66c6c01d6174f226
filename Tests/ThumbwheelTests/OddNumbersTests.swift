import TestSupport
import Testing

@testable import Thumbwheel

/// Any statement of files, hosts and configurations must lead to an image or an error.
@Suite(.endsHangs) struct OddNumbersTests {

    private let renderer = SuspendableRenderer(answer: SuspendableRenderer.blankImageOrNoFile)

    private func asset(
        side: Int = 100, fileSize: Int = 100, previews: [EmbeddedPreview] = [],
        resource: AssetResource = .bytes([])
    ) -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 4, low: 1),
            head: ImageHead(
                contentType: .jpeg, storedSize: PixelSize(width: side, height: side), previews: previews),
            resource: resource, fileSize: fileSize, originalFilename: "")
    }

    @Test("file lengths of any size are handled", arguments: [Int.min, -1, 0, 1 << 40, .max])
    func lengths(fileSize: Int) async {
        let manager = ImageManager(renderer, workers: 1)
        _ = try? await manager.image(for: Pictures.asset(1), targetSize: .small)
        _ = try? await manager.image(for: asset(fileSize: fileSize), targetSize: .small)
        _ = try? await manager.imageData(for: asset(fileSize: fileSize))
        let remote = asset(fileSize: fileSize, resource: .provider(SuspendableProvider()))
        let options = ImageRequestOptions {
            $0.deadline = .milliseconds(1)
            $0.isNetworkAccessAllowed = true
        }
        _ = try? await manager.image(for: remote, targetSize: .small, options: options)
        _ = try? await manager.imageData(for: remote, options: options)
        await manager.shutdown(graceful: false)
        #expect(manager.statistics.liveRequestCount == 0)
        #expect(manager.statistics.budgetUsedByteCount == manager.statistics.cachedByteCount)
    }

    @Test("sides of any length are handled", arguments: [1, 1 << 31, 1 << 53, .max], [ResizeMode.none, .fast, .exact])
    func sides(side: Int, resizeMode: ResizeMode) async {
        let manager = ImageManager(renderer, workers: 1)
        let options = ImageRequestOptions {
            $0.resizeMode = resizeMode
            $0.allowsUpscaling = true
        }
        for size in [
            PixelSize.small, .maximum, PixelSize(width: .max, height: 1), PixelSize(width: .max, height: .max),
        ] {
            _ = try? await manager.image(for: asset(side: side), targetSize: size, options: options)
        }
        await manager.shutdown()
        #expect(manager.statistics.liveRequestCount == 0)
    }

    @Test("previews at any place are handled", arguments: [Int.min..<(.max), -5..<(-1), (.max - 1)..<(.max)])
    func previews(range: Range<Int>) async {
        let manager = ImageManager(renderer, workers: 1)
        let previews = [
            EmbeddedPreview(byteRange: range, contentType: .jpeg),
            EmbeddedPreview(kind: .multiPicture, byteRange: range, contentType: .jpeg, container: range),
        ]
        #expect(previews.allSatisfy { $0.byteCount > 0 })
        for mode in [DeliveryMode.opportunistic, .fast] {
            let options = ImageRequestOptions { $0.deliveryMode = mode }
            _ = try? await manager.image(for: asset(previews: previews), targetSize: .small, options: options)
        }
        await manager.shutdown()
        #expect(manager.statistics.liveRequestCount == 0)
    }

    @Test("a configuration that nobody has checked works with zero and negative numbers", arguments: [0, -1, .min])
    func configuration(number: Int) async throws {
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = number
                $0.memoryBudget = number
                $0.fetchLimit = number
                $0.eventCapacity = number
            },
            renderer: renderer, recordsRenders: false)
        _ = try await manager.image(for: Pictures.asset(1), targetSize: .small)
        // With a fetch limit of 0 or less, nothing comes over the network.
        let remote = asset(resource: .provider(SuspendableProvider()))
        let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
        await #expect(throws: ImageRequestError.networkAccessRequired) {
            _ = try await manager.image(for: remote, targetSize: .small, options: options)
        }
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: [remote], targetSize: .small, options: options)
        #expect(caching.window.imageCount == 0)
        #expect(manager.takeEvents().events.isEmpty)
        await manager.shutdown()
    }
}
