import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite(.endsHangs) struct ImageManagerTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()

    @Test("a bitmap that somebody holds stays in the cache and is paid for, whatever the pressure, until it is let go")
    func heldBitmaps() async throws {
        let manager = ImageManager(renderer, workers: 1)
        var held: Bitmap? = try await manager.image(for: Pictures.asset(1), targetSize: .small)
        let byteCount = try #require(held).byteCount
        _ = try await manager.image(for: Pictures.asset(2), targetSize: .small)
        manager.setMemoryPressure(.critical)
        #expect(manager.statistics.cachedByteCount == byteCount)
        #expect(manager.statistics.budgetUsedByteCount == byteCount)
        #expect(try await manager.image(for: Pictures.asset(1), targetSize: .small) === held)
        held = nil
        manager.setMemoryPressure(.critical)
        #expect(held == nil && manager.statistics.cachedByteCount == 0)
    }

    @Test("a request is rendered once, and the next one for the same finds it in the cache")
    func renderThenCache() async {
        let manager = ImageManager(renderer)
        let id = manager.requestImage(
            for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(1))
        await log.waitForEnds(1)
        manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(2))
        await log.waitForEnds(2)
        #expect(log.entries(1) == [.final(side: SuspendableRenderer.side)])
        #expect(log.entries(2) == log.entries(1))
        #expect(log.info(1)?.requestID == id)
        #expect(log.info(1)?.source == .reduced)
        #expect(log.info(2)?.source == .cache)
        #expect(log.info(2)?.asset == Pictures.asset(1).identifier)
        #expect(renderer.callCount == 1)
    }

    @Test("a change of content is another picture")
    func contentVersion() async {
        let manager = ImageManager(renderer)
        for version in [1, 2, 1] as [UInt32] {
            manager.requestImage(
                for: Pictures.asset(1, contentVersion: version), targetSize: .small,
                resultHandler: log.handler(Int(version)))
        }
        await log.waitForEnds(3)
        #expect(Set(renderer.renditions.map(\.subject.contentVersion)) == [1, 2])
    }

    @Test("a thousand subscribers to one rendition cost one render")
    func coalescing() async {
        renderer.suspend()
        let manager = ImageManager(renderer)
        for number in 0..<1000 {
            manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(number))
        }
        #expect(manager.statistics.liveRequestCount == 1000)
        renderer.resume()
        await log.waitForEnds(1000)
        #expect(renderer.callCount == 1)
        #expect(manager.statistics.requests.coalesced == 999)
        #expect(manager.statistics.requests.delivered == 1000)
        #expect(manager.statistics.liveRequestCount == 0)
        #expect(Set((0..<1000).map { log.info($0)?.renderNumber }) == [1])
        #expect(log.violations == [])
    }

    @Test("a thousand subscribers that all leave stop the one render")
    func leavingTogether() async {
        renderer.suspend()
        let manager = ImageManager(renderer, workers: 1)
        let ids = (0..<1000).map { number in
            manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(number))
        }
        await renderer.waitForCalls(1)
        for id in ids { manager.cancelImageRequest(id) }
        #expect(log.endedCount == 1000)
        #expect(log.terminals.allSatisfy { $0 == .cancelled })
        // The worker is free again: with the renderer still held up, the next call can only come from it.
        manager.requestImage(for: Pictures.asset(2), targetSize: .small, resultHandler: log.handler(1000))
        await renderer.waitForCalls(2)
        #expect(renderer.stoppedCount == 1)
        renderer.resume()
        await log.waitForEnds(1001)
    }

    @Test("with keeping switched off each request is rendered anew")
    func keepingNothing() async {
        let manager = ImageManager(renderer, keepsRenditions: false)
        for number in 1...3 {
            manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(number))
            await log.waitForEnds(number)
        }
        #expect(renderer.callCount == 3)
        #expect(manager.statistics.cachedByteCount == 0)
    }

    @Test("an opportunistic request gets the embedded preview first where that is cheap", arguments: [true, false])
    func embeddedPreview(usesEmbeddedPreviews: Bool) async {
        let manager = ImageManager(renderer, workers: 1, usesEmbeddedPreviews: usesEmbeddedPreviews)
        for (number, mode) in [DeliveryMode.opportunistic, .highQuality, .fast].enumerated() {
            manager.requestImage(
                for: Pictures.asset(number, hasPreview: true), targetSize: .small,
                options: ImageRequestOptions { $0.deliveryMode = mode }, resultHandler: log.handler(number))
        }
        await log.waitForEnds(3)
        let final = ResultLog.Entry.final(side: SuspendableRenderer.side)
        #expect(
            log.entries(0)
                == (usesEmbeddedPreviews ? [.degraded(side: SuspendableRenderer.previewSide), final] : [final]))
        #expect(log.entries(1) == [final])
        #expect(log.entries(2) == [final])
        #expect(log.violations == [])
    }

    @Test("a crop counts only where the resize mode is exact")
    func crop() async {
        let manager = ImageManager(renderer)
        let crop = NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5)
        let options = [
            ImageRequestOptions { $0.resizeMode = .fast },
            ImageRequestOptions {
                $0.resizeMode = .fast
                $0.normalizedCropRect = crop
            },
            ImageRequestOptions {
                $0.resizeMode = .exact
                $0.normalizedCropRect = crop
            }, ImageRequestOptions { $0.resizeMode = .exact },
        ]
        for (number, options) in options.enumerated() {
            manager.requestImage(
                for: Pictures.asset(1), targetSize: .small, options: options, resultHandler: log.handler(number))
            await log.waitForEnds(number + 1)
        }
        #expect(renderer.renditions.map(\.options.normalizedCropRect) == [nil, crop, nil])
    }

    // MARK: Requests that cannot be

    struct Refusal: CustomTestStringConvertible {
        var targetSize = PixelSize.small
        var options = ImageRequestOptions()
        var mediaType = AssetMediaType.image
        var code = "invalidRequest"

        var testDescription: String { "\(mediaType) \(targetSize) \(options.normalizedCropRect.debugDescription)" }
    }

    @Test(
        "what no image can satisfy ends with its typed error, and nothing is rendered",
        arguments: [
            Refusal(targetSize: .zero), Refusal(targetSize: PixelSize(width: 0, height: 100)),
            Refusal(targetSize: PixelSize(width: 100, height: -100)),
            Refusal(options: cropping(NormalizedRect(x: 0, y: 0, width: 0, height: 1))),
            Refusal(options: cropping(NormalizedRect(x: 1, y: 0, width: 1, height: 1))),
            Refusal(options: cropping(NormalizedRect(x: .nan, y: 0, width: 1, height: 1))),
            Refusal(mediaType: .video, code: "unsupportedMedia"),
            Refusal(mediaType: .unknown, code: "unsupportedMedia"),
        ])
    func refusals(refusal: Refusal) async {
        // Given
        let manager = ImageManager(renderer)
        let asset = Pictures.asset(1, mediaType: refusal.mediaType)
        // When
        let id = manager.requestImage(
            for: asset, targetSize: refusal.targetSize, options: refusal.options, resultHandler: log.handler())
        manager.cancelImageRequest(id)
        let later = manager.requestImage(for: Pictures.asset(2), targetSize: .small, resultHandler: log.handler(2))
        await log.waitForEnds(2)
        // Then
        #expect(log.entries() == [.failed(refusal.code)])
        #expect(log.info()?.requestID == id)
        #expect(later != id)
        #expect(manager.statistics.requests.failed == 1)
        #expect(manager.statistics.liveRequestCount == 0)
        #expect(renderer.renditions.map(\.subject.asset) == [Pictures.asset(2).identifier])
    }

    @Test("the largest rendering there is can be asked for")
    func maximumSize() async throws {
        let manager = ImageManager(renderer)
        _ = try await manager.image(for: Pictures.asset(1), targetSize: .maximum)
        #expect(renderer.renditions.map(\.options.targetSize) == [.maximum])
    }

    private static func cropping(_ rect: NormalizedRect) -> ImageRequestOptions {
        ImageRequestOptions {
            $0.resizeMode = .exact
            $0.normalizedCropRect = rect
        }
    }
}
