import SimulationKit
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelScheduling

@Suite(.timeLimit(.minutes(2))) struct ForgettingTests {
    typealias Rendition = TablePipeline.Rendition

    @Test("whatever is kept of a forgotten asset goes at once, whoever holds it")
    func everythingGoes() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        _ = pipeline.submit(1, side: 50)
        _ = pipeline.submit(1, encoding: .png)
        _ = pipeline.submit(1, .opportunistic, side: 70, hasPreview: true)
        pipeline.finishAll()
        #expect(pipeline.statistics.cachedByteCount == 6000)
        pipeline.forget(1)
        #expect(pipeline.statistics.cachedByteCount == 1000)
        #expect(pipeline.cached(1...2) == [2])
    }

    @Test("a render that runs goes on for those who wait, and is not kept")
    func running() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1)
        pipeline.forget(1)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(.high)])
        #expect(pipeline.statistics.cachedByteCount == 0)
        // Asked for again, it is made and kept again.
        _ = pipeline.submit(1)
        pipeline.finishAll()
        #expect(pipeline.cached(1...1) == [1])
    }

    @Test("what a window was still to have made of it is not made, and what is being made for nobody else is stopped")
    func windows() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2), Rendition(3)], in: window)
        #expect(pipeline.running == [Rendition(1)])
        pipeline.driver.apply { $0.forget([1, 2].map { AssetIdentifier(high: 0, low: $0) }, at: $1) }
        #expect(pipeline.stopped == [Rendition(1)])
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(pipeline.running == [Rendition(3)])
        pipeline.finishAll()
        #expect(pipeline.statistics.renders.started == 2)
        // The window has forgotten them too, and may be told to end.
        pipeline.stopCaching([Rendition(1), Rendition(3)], in: window)
        #expect(pipeline.cached(1...3) == [3])
    }

    @Test("what a library deletes or changes leaves the cache of a manager that is told so, the rest stays")
    func library() async throws {
        // Given: three photographs, each cached as a bitmap and as a file.
        let library = PhotoLibrary()
        for number in 0..<3 {
            _ = try library.addAsset(bytes: try Self.picture(number), filename: "\(number).jpg")
        }
        let assets = Array(library.fetchAssets())
        let manager = ImageManager()
        let size = PixelSize(width: 24, height: 24)
        for asset in assets {
            _ = try await manager.image(for: asset, targetSize: size)
            _ = try await manager.imageData(for: asset, targetSize: size)
        }
        let kept = manager.statistics.cachedByteCount / 3
        // When
        let observation = manager.forgetImages(asAssetsChangeIn: library)
        let (deleted, changed, untouched) = (assets[0], assets[1], assets[2])
        try await library.performChanges { changes in
            try changes.edit(untouched.identifier) { $0.isFavorite = true }
            try changes.setAdjusted(
                changed.identifier, rendering: .bytes(try Self.picture(9)),
                adjustmentData: AdjustmentData(formatIdentifier: "test", formatVersion: "1", data: [1]))
            try changes.deleteAssets([deleted.identifier])
        }
        try await library.performChanges { try $0.deleteAssetsPermanently([deleted.identifier]) }
        while manager.statistics.cachedByteCount > kept * 3 / 2 { await Task.yield() }
        observation.cancel()
        // Then
        let started = manager.statistics.renders.started
        _ = try await manager.image(for: untouched, targetSize: size)
        #expect(manager.statistics.renders.started == started)
        let now = try #require(library.asset(withIdentifier: changed.identifier))
        _ = try await manager.image(for: now, targetSize: size)
        #expect(manager.statistics.renders.started == started + 1)
    }

    private static func picture(_ seed: Int) throws -> [UInt8] {
        try Bitmap(size: PixelSize(width: 96, height: 96), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index &* (seed + 1) / 7) }
        }.encoded(as: .jpeg(quality: 90))
    }
}

extension TablePipeline {
    fileprivate mutating func forget(_ asset: Int) {
        driver.apply { $0.forget([AssetIdentifier(high: 0, low: UInt64(asset))], at: $1) }
    }
}
