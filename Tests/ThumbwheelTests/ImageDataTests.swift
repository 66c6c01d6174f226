import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite(.endsHangs) struct ImageDataTests {
    private let folder: ScratchFolder
    private let path: String
    private let asset: Asset
    private let side = PixelSize(width: 24, height: 24)

    init() throws {
        folder = try ScratchFolder()
        path = try folder.write("picture.jpg", try Self.picture(seed: 1).encoded(as: .jpeg(quality: 90)))
        asset = try Self.asset(path)
    }

    private static func asset(_ path: String) throws -> Asset {
        try Asset(
            reading: .file(path: path), identifier: AssetIdentifier(high: 0, low: 1), originalFilename: "picture.jpg")
    }

    private static func picture(seed: Int) -> Bitmap {
        Bitmap(size: PixelSize(width: 96, height: 64), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index &* seed / 7) }
        }
    }

    @Test(
        "a thumbnail comes as the bytes of a file of the target's size",
        arguments: [
            ImageEncoding.jpeg(quality: 80), .png, .webp(quality: 80),
        ])
    func thumbnail(encoding: ImageEncoding) async throws {
        let manager = ImageManager.undisturbed()
        var options = ImageRequestOptions()
        options.resizeMode = .exact
        let data = try await manager.imageData(
            for: asset, targetSize: side, contentMode: .aspectFill, encoding: encoding, options: options)
        #expect(data.contentType == encoding.contentType)
        #expect(data.orientation == .up)
        #expect(data.pixelSize == side)
        let head = try ImageHead(reading: MemoryByteSource(data.bytes))
        #expect(head.contentType == encoding.contentType)
        #expect(head.displaySize == side)
    }

    @Test("encoded thumbnails are cached; a cached bitmap is only encoded, without its file")
    func caching() async throws {
        let manager = ImageManager.undisturbed()
        let bitmap = try await manager.image(for: asset, targetSize: side)
        try FileManager.default.removeItem(atPath: path)
        let data = try await manager.imageData(for: asset, targetSize: side, encoding: .png)
        #expect(data.pixelSize == bitmap.size)
        let started = manager.statistics.renders.started
        let again = try await manager.imageData(for: asset, targetSize: side, encoding: .png)
        #expect(again.bytes == data.bytes)
        #expect(manager.statistics.renders.started == started)
        // What was not made while the file was there cannot be.
        await #expect(throws: ImageRequestError.self) {
            try await manager.imageData(for: asset, targetSize: PixelSize(width: 48, height: 48))
        }
    }

    @Test("an asset's own file comes as it is, and is not kept")
    func original() async throws {
        let manager = ImageManager.undisturbed()
        let data = try await manager.imageData(for: asset)
        #expect(data.bytes == [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(data.contentType == .jpeg)
        #expect(data.pixelSize == PixelSize(width: 96, height: 64))
        #expect(manager.statistics.cachedByteCount == 0)
    }

    @Test("a file beyond the limit of bytes is refused")
    func limit() async throws {
        let manager = ImageManager.undisturbed { $0.limits.byteCount = asset.fileSize - 1 }
        await #expect(throws: ImageRequestError.rendering(.limitExceeded(limit: .bytes))) {
            try await manager.imageData(for: asset)
        }
    }

    @Test("the entity tag is known beforehand, and tells all that makes other bytes apart")
    func entityTags() async throws {
        let manager = ImageManager.undisturbed()
        let tag = manager.entityTag(for: asset, targetSize: side)
        #expect(try await manager.imageData(for: asset, targetSize: side).entityTag == tag)
        #expect(tag.description.hasPrefix("\"") && tag.description.hasSuffix("\"") && tag.description.count > 12)
        var linear = ImageRequestOptions()
        linear.isLinear = true
        var fast = ImageRequestOptions()
        fast.deliveryMode = .fast
        let changed = Asset(
            identifier: asset.identifier, contentVersion: 2, head: asset.head, resource: asset.resource,
            fileSize: asset.fileSize, originalFilename: asset.originalFilename)
        let tags = [
            tag, manager.entityTag(for: asset, targetSize: PixelSize(width: 24, height: 25)),
            manager.entityTag(for: asset, targetSize: side, contentMode: .aspectFill),
            manager.entityTag(for: asset, targetSize: side, encoding: .jpeg(quality: 86)),
            manager.entityTag(for: asset, targetSize: side, encoding: .webp(quality: 85)),
            manager.entityTag(for: asset, targetSize: side, options: linear),
            manager.entityTag(for: asset, targetSize: side, options: fast),
            manager.entityTag(for: changed, targetSize: side), try await manager.imageData(for: asset).entityTag,
        ]
        #expect(Set(tags).count == tags.count)
    }

    @Test("a fast request for a file does not get the bytes of a better one under its tag")
    func fastIsNotHigh() async throws {
        let manager = ImageManager.undisturbed()
        var fast = ImageRequestOptions()
        fast.deliveryMode = .fast
        _ = try await manager.imageData(for: asset, targetSize: side)
        let data = try await manager.imageData(for: asset, targetSize: side, options: fast)
        #expect(data.entityTag == manager.entityTag(for: asset, targetSize: side, options: fast))
    }

    @Test("cancelling the task cancels the request")
    func cancelling() async {
        let renderer = SuspendableRenderer(isSuspended: true)
        let manager = ImageManager(renderer, workers: 1)
        let task = Task { try await manager.imageData(for: Pictures.asset(1), targetSize: side) }
        await renderer.waitForCalls(1)
        task.cancel()
        await #expect(throws: ImageRequestError.cancelled) { try await task.value }
        renderer.resume()
    }
}
