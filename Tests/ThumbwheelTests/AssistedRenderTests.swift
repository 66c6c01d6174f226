import Dispatch
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelRendering

/// Idle workers help with large photographs; nobody can tell by the pixels.
@Suite(.endsHangs) struct AssistedRenderTests {
    private let photograph: [UInt8]
    private let asset: Asset
    private let options = ImageRequestOptions {
        $0.deliveryMode = .highQuality
        $0.resizeMode = .exact
        $0.allowsImmediateDelivery = false
    }

    init() throws {
        var random = SeededGenerator(seed: 3)
        // Noise, and more than a megabyte of it.
        photograph = try Bitmap(size: PixelSize(width: 1100, height: 1000), format: .rgb) { pixels in
            var state = UInt64(random.index(below: 1 << 30)) | 1
            for index in pixels.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                pixels[index] = UInt8(truncatingIfNeeded: state >> 56)
            }
        }.encoded(as: .jpeg(quality: 90))
        asset = Asset(
            identifier: AssetIdentifier(high: 0, low: 1), head: try ImageHead(reading: MemoryByteSource(photograph)),
            resource: .bytes(photograph), fileSize: photograph.count, originalFilename: "photograph.jpg")
    }

    private func manager(workers: Int) -> ImageManager {
        ImageManager.undisturbed {
            $0.workerCount = workers
            $0.memoryBudget = 1 << 30
            $0.makesThumbHashes = false
            $0.keepsRenditions = false
        }
    }

    private func bytes(of bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }

    private func renderedAlone(_ size: PixelSize) throws -> RenderedImage {
        try Renderer().render(MemoryByteSource(photograph), options: RenderOptions(targetSize: size))
    }

    private func size(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }

    @Test("an image that idle workers helped with is the one that its worker makes alone")
    func samePixels() async throws {
        #expect(photograph.count > 1 << 20)
        let manager = manager(workers: 3)
        for side in [100, 256, 1000] {
            let alone = try renderedAlone(size(side))
            for _ in 0..<2 {
                let image = try await manager.image(
                    for: asset, targetSize: size(side), contentMode: .aspectFill, options: options)
                #expect(bytes(of: image) == bytes(of: alone.bitmap))
            }
        }
    }

    @Test("helpers that are wanted themselves, and renders that end early, leave nobody waiting")
    func storm() async throws {
        let alone = try renderedAlone(size(256))
        let manager = manager(workers: 3)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let task = Task {
                        try await manager.image(
                            for: asset, targetSize: size(number % 3 == 0 ? 256 : 200 + number),
                            contentMode: .aspectFill,
                            options: options)
                    }
                    if number % 4 == 1 { task.cancel() }
                    let image = try? await task.value
                    if number % 12 == 0 { #expect(image.map(bytes(of:)) == bytes(of: alone.bitmap)) }
                }
                // Pauses of different lengths, in which workers become idle.
                if number % 5 == 4 { await group.next() }
            }
        }
        await manager.shutdown()
    }

    /// Asks for help and keeps it until the helper is wanted itself.
    private final class AskingRenderer: RenditionRenderer {
        let helped = DispatchSemaphore(value: 0)
        let wanted = DispatchSemaphore(value: 0)

        func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
            guard assignment.key.options.targetSize.width == 100 else { return .stopped }
            // The other worker may not have come to wait yet.
            while !assistants.start({ [self] isWantedElsewhere in
                helped.signal()
                while !isWantedElsewhere() {}
                wanted.signal()
            }) {}
            wanted.wait()
            return .failed(.rendering(.unsupportedFormat))
        }
    }

    @Test("an idle worker helps until there is an image for itself to make")
    func helperIsWanted() async throws {
        let renderer = AskingRenderer()
        let manager = ImageManager.undisturbed(renderer: renderer) { $0.workerCount = 2 }
        let log = ResultLog()
        manager.requestImage(
            for: asset, targetSize: size(100), contentMode: .aspectFill, options: options, resultHandler: log.handler(0)
        )
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                renderer.helped.wait()
                continuation.resume()
            }
        }
        manager.requestImage(
            for: asset, targetSize: size(300), contentMode: .aspectFill, options: options, resultHandler: log.handler(1)
        )
        await log.waitForEnds(1)
        #expect(log.entries(0).count == 1)
        await manager.shutdown(graceful: false)
    }
}
