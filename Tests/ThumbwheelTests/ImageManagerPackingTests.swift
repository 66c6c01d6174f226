import TestSupport
import Testing
import Thumbwheel

@Suite(.endsHangs) struct ImageManagerPackingTests {
    @Test("what idle workers have packed comes back pixel for pixel, without its file being read")
    func roundTrip() async throws {
        // Given: bitmaps of 768 KiB, more than half of the budget together.
        let manager = ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 4 << 20
            $0.packsRenditions = true
        }
        let size = PixelSize(width: 512, height: 512)
        let options = ImageRequestOptions {
            $0.deliveryMode = .highQuality
            $0.resizeMode = .exact
        }
        var assets: [Asset] = []
        // Copies: a bitmap that somebody has is not packed.
        var pictures: [[UInt8]] = []
        for seed in 1...4 {
            let asset = try Self.asset(seed)
            assets.append(asset)
            pictures.append(
                Self.pixels(try await manager.image(for: asset, targetSize: size, options: options)))
        }
        while manager.statistics.cache.packed == 0 { await Task.yield() }
        // When
        let finished = manager.statistics.renders.finished
        for (asset, picture) in zip(assets, pictures) {
            let again = try await manager.image(for: asset, targetSize: size, options: options)
            #expect(Self.pixels(again) == picture)
        }
        // Then
        let statistics = manager.statistics
        #expect(statistics.cache.unpacked > 0)
        #expect(statistics.renders.finished - finished == statistics.cache.unpacked)
        #expect(statistics.budgetPeakByteCount <= 4 << 20)
    }

    private static func asset(_ seed: Int) throws -> Asset {
        let picture = Bitmap(size: PixelSize(width: 600, height: 600), format: .rgb) { pixels in
            for index in pixels.indices {
                pixels[index] = UInt8(truncatingIfNeeded: (index / 3 % 600 + index / 1800) * seed / 8 + index % 3 * 40)
            }
        }
        return try Asset(
            reading: .bytes(try picture.encoded(as: .png)),
            identifier: AssetIdentifier(high: 0, low: UInt64(seed)), originalFilename: "\(seed).png")
    }

    private static func pixels(_ bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }
}
