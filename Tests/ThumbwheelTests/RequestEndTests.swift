import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite("What the ends of requests tell", .endsHangs) struct RequestEndTests {
    private let size = PixelSize(width: 24, height: 24)

    private static func asset(cutTo share: Double = 1) throws -> Asset {
        let bytes = try Bitmap(size: PixelSize(width: 96, height: 96), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 11) }
        }.encoded(as: .jpeg(quality: 90))
        return Asset(
            identifier: AssetIdentifier(high: 3, low: 4), head: try ImageHead(reading: MemoryByteSource(bytes)),
            resource: .bytes(Array(bytes.prefix(Int(Double(bytes.count) * share)))), fileSize: bytes.count,
            originalFilename: "a.jpg")
    }

    @Test("a cancelled request names itself and its asset, however it was cancelled")
    func cancelled() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let manager = ImageManager(renderer)
        let log = ResultLog()
        let asset = Pictures.asset(1)
        let first = manager.requestImage(for: asset, targetSize: size, resultHandler: log.handler(1))
        let second = manager.requestImage(for: Pictures.asset(2), targetSize: size, resultHandler: log.handler(2))
        manager.cancelImageRequest(first)
        manager.cancelAllRequests()
        let token = CancellationToken()
        token.cancel()
        let third = manager.requestImage(
            for: asset, targetSize: size, options: ImageRequestOptions { $0.cancellationToken = token },
            resultHandler: log.handler(3))
        await log.waitForEnds(3)
        for (number, id) in [(1, first), (2, second), (3, third)] {
            #expect(log.entries(number) == [.cancelled] && log.info(number)?.requestID == id)
            #expect(log.info(number)?.asset == Pictures.asset(number == 2 ? 2 : 1).identifier)
        }
        await withCheckedContinuation { continuation in
            let id = manager.requestImageDataAndOrientation(for: asset) { result in
                if case .cancelled(let info) = result { #expect(info.asset == asset.identifier) }
                continuation.resume()
            }
            manager.cancelImageRequest(id)
        }
        renderer.resume()
    }

    @Test("errors have PhotoKit's numbers beside their names")
    func numbers() {
        let expected: [(ImageRequestError, Int, String)] = [
            (.networkAccessRequired, 3164, "networkAccessRequired"), (.network(.timedOut), 3169, "network"),
            (.cancelled, 3072, "cancelled"), (.unsupportedMedia, 3306, "unsupportedMedia"),
            (.rendering(.source(.notFound(path: ""))), 3303, "notFound"), (.overloaded, 3301, "overloaded"),
            (.rendering(.limitExceeded(limit: .pixels)), 3307, "pixelLimitExceeded"),
            (.deadlineExceeded, 3301, "deadlineExceeded"), (.invalidRequest(reason: ""), -1, "invalidRequest"),
        ]
        for (error, number, name) in expected { #expect(error.code == number && error.name == name) }
    }

    @Test("of a damaged file a single image is what could be decoded, or an error at high quality")
    func partial() async throws {
        let (manager, damaged) = (ImageManager.undisturbed(), try Self.asset(cutTo: 0.6))
        let strict = ImageRequestOptions { $0.deliveryMode = .highQuality }
        #expect(try await manager.image(for: damaged, targetSize: size).size == size)
        await #expect(throws: ImageRequestError.self) {
            try await manager.image(for: damaged, targetSize: size, options: strict)
        }
        let data = try await manager.imageData(for: damaged, targetSize: size)
        #expect(data.pixelSize == size)
        #expect(data.entityTag != manager.entityTag(for: damaged, targetSize: size), "the whole picture has that tag")
        await #expect(throws: ImageRequestError.self) {
            try await manager.imageData(for: damaged, targetSize: size, options: strict)
        }
    }

    @Test("a request for one image makes no degraded one")
    func oneImage() async throws {
        let renderer = SuspendableRenderer()
        // One worker makes the preview first. Of two, the one with the final image may be done before the other begins.
        let manager = ImageManager(renderer, workers: 1)
        _ = try await manager.image(for: Pictures.asset(1, hasPreview: true), targetSize: size)
        #expect(renderer.renditions.map(\.kind) == [.high])
        let log = ResultLog()
        manager.requestImage(for: Pictures.asset(2, hasPreview: true), targetSize: size, resultHandler: log.handler())
        await log.waitForEnds()
        #expect(Set(renderer.renditions.dropFirst().map(\.kind)) == [.preview, .high])
    }

    @Test("data can be waited for: a thumbnail, and the file")
    func synchronousData() async throws {
        let (manager, asset, size) = (ImageManager.undisturbed(), try Self.asset(), size)
        let token = CancellationToken()
        token.cancel()
        let options = ImageRequestOptions { $0.cancellationToken = token }
        let results = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: [
                    manager.requestImageDataSynchronously(for: asset, targetSize: size, encoding: .png),
                    manager.requestImageDataSynchronously(for: asset, options: options),
                    manager.requestImageDataSynchronously(for: Pictures.asset(1, mediaType: .video), targetSize: size),
                ])
            }
        }
        guard case .final(let thumbnail, _) = results[0], case .final(let file, _) = results[1],
            case .failed(let error, _) = results[2]
        else {
            Issue.record("\(results)")
            return
        }
        #expect(thumbnail.contentType == .png && thumbnail.pixelSize == size)
        #expect(try file.bytes == asset.resource.open().bytes() && error == .unsupportedMedia)
    }
}
