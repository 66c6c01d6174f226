import TestSupport
import Testing
import Thumbwheel
import ThumbwheelScheduling

@Suite(.endsHangs) struct ForgottenAssetTests {
    @Test("what a library deletes or changes leaves the cache of a manager that is told so, the rest stays")
    func library() async throws {
        // Given: three photographs, each cached as a bitmap and as a file.
        let library = PhotoLibrary()
        for number in 0..<3 {
            _ = try await library.addAsset(bytes: try Self.picture(number), filename: "\(number).jpg")
        }
        let assets = Array(library.fetchAssets())
        let manager = ImageManager.undisturbed()
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
