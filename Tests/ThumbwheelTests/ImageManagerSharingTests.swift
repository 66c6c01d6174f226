import TestSupport
import Testing
import Thumbwheel

/// One decode for requests of different sizes, with the library's own decoders.
@Suite(.endsHangs) struct ImageManagerSharingTests {
    private let provider: SuspendableProvider
    private let asset: Asset
    private let localAsset: Asset
    private let log = ResultLog()
    private let options = ImageRequestOptions {
        $0.deliveryMode = .highQuality
        $0.resizeMode = .exact
        $0.isNetworkAccessAllowed = true
    }

    init() throws {
        let photograph = try Bitmap(size: PixelSize(width: 960, height: 640), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 7) }
        }.encoded(as: .jpeg(quality: 90))
        // What is to come over a network waits, however fast the workers are.
        provider = SuspendableProvider("photograph", photograph)
        asset = try Self.asset(photograph, from: .provider(provider))
        localAsset = try Self.asset(photograph, from: .bytes(photograph))
    }

    private static func asset(_ photograph: [UInt8], from source: AssetResource) throws -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 0, low: 1), head: try ImageHead(reading: MemoryByteSource(photograph)),
            resource: source, fileSize: photograph.count, originalFilename: "photograph.jpg")
    }

    @Test("requests of four sizes, made at the same time, are of one render, and so is the file of one of them")
    func oneRender() async throws {
        // Given
        let manager = ImageManager.undisturbed()
        let sides = [60, 120, 240, 480]
        for side in sides {
            manager.requestImage(
                for: asset, targetSize: PixelSize(width: side, height: side), contentMode: .aspectFit, options: options,
                resultHandler: log.handler(side))
        }
        let data = Task {
            try await manager.imageData(
                for: asset, targetSize: PixelSize(width: 480, height: 480), encoding: .png, options: options)
        }
        while manager.statistics.liveRequestCount < 5 { await Task.yield() }
        // When
        await provider.waitForFetches()
        provider.answer()
        // Then
        await log.waitForEnds(sides.count)
        for side in sides { #expect(log.entries(side) == [.final(side: side)]) }
        #expect(Set(sides.map { log.info($0)?.renderNumber }).count == 1)
        let file = try await data.value
        #expect(file.pixelSize == PixelSize(width: 480, height: 320))
        let statistics = manager.statistics
        #expect(statistics.renders.started == 1)
        #expect(statistics.renders.finished == 1)
        #expect(statistics.renders.shared == 4)
        #expect(statistics.fetches.started == 1)
        // A file's bytes are those that it has alone.
        let alone = try await ImageManager.undisturbed().imageData(
            for: localAsset, targetSize: PixelSize(width: 480, height: 480), encoding: .png, options: options)
        #expect(alone.bytes == file.bytes)
        #expect(alone.entityTag == file.entityTag)
    }
}
