import Foundation
import TestSupport
import Testing
import Thumbwheel

/// A manager with a store on disk, closed and opened again.
@Suite(.endsHangs) struct ImageStoreTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let folder = Folder()
    private var store: ImageManager.Configuration.Store { .init(folder: folder.path + "/store") }

    private func manager() -> ImageManager {
        ImageManager.undisturbed {
            $0.workerCount = 2
            $0.store = store
            // On a busy machine look-ups take long; here each of them counts.
            $0.waitsWithoutTimeLimit = true
        }
    }

    /// A library of photographs, imported anew as another process would.
    private func assets() async throws -> [Asset] {
        let photographs = folder.path + "/photographs"
        if !FileManager.default.fileExists(atPath: photographs) {
            try FileManager.default.createDirectory(atPath: photographs, withIntermediateDirectories: true)
            for number in 0..<4 {
                let bytes = try Self.photograph(number)
                try Data(bytes).write(to: URL(fileURLWithPath: "\(photographs)/\(number).jpg"))
            }
            let whole = try Data(contentsOf: URL(fileURLWithPath: "\(photographs)/0.jpg"))
            try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: "\(photographs)/cut.jpg"))
        }
        let library = PhotoLibrary()
        _ = try await library.importFolder(at: photographs)
        return Array(library.fetchAssets()).sorted { $0.originalFilename < $1.originalFilename }
    }

    private static func photograph(_ number: Int) throws -> [UInt8] {
        try Bitmap(size: PixelSize(width: 640, height: 480), format: .rgb) { pixels in
            for index in pixels.indices {
                let (x, y) = (index / 3 % 640, index / 1_920)
                pixels[index] = UInt8(truncatingIfNeeded: x * (number + 1) / 4 + y * (index % 3 + 1) / 3 + (x ^ y) % 16)
            }
        }.encoded(as: .jpeg(quality: 90))
    }

    private func pixels(_ bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }

    @Test("the images of a closed manager come from the store, equal to the last bit, with hash and no render")
    func restart() async throws {
        let size = PixelSize(width: 128, height: 128)
        var first: [[UInt8]] = []
        let before = manager()
        for asset in try await assets().dropLast() {
            first.append(pixels(try await before.image(for: asset, targetSize: size, contentMode: .aspectFill)))
        }
        await before.shutdown()
        let after = manager()
        let assets = try await assets()
        for (asset, expected) in zip(assets, first) {
            #expect(asset.thumbHash == nil)
            #expect(pixels(try await after.image(for: asset, targetSize: size, contentMode: .aspectFill)) == expected)
            #expect(asset.thumbHash != nil)
        }
        #expect(after.statistics.renders.started == 0)
        #expect(after.statistics.tiers.hits == first.count)
        await after.shutdown()
    }

    @Test("files come back with equal bytes; another size, another encoding and a changed photograph are made anew")
    func files() async throws {
        let size = PixelSize(width: 100, height: 100)
        let before = manager()
        let asset = try await assets()[0]
        let data = try await before.imageData(for: asset, targetSize: size, encoding: .jpeg(quality: 80))
        await before.shutdown()
        let after = manager()
        let again = try await assets()[0]
        #expect(
            try await after.imageData(for: again, targetSize: size, encoding: .jpeg(quality: 80)).bytes == data.bytes)
        #expect(after.statistics.renders.started == 0)
        _ = try await after.imageData(for: again, targetSize: size, encoding: .jpeg(quality: 81))
        _ = try await after.imageData(
            for: again, targetSize: PixelSize(width: 90, height: 90), encoding: .jpeg(quality: 80))
        #expect(after.statistics.renders.started == 2)
        await after.shutdown()
        // Another photograph takes the file's place.
        let bytes = try Self.photograph(99)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/photographs/0.jpg"))
        let third = manager()
        let changed = try await assets()[0]
        #expect(
            try await third.imageData(for: changed, targetSize: size, encoding: .jpeg(quality: 80)).bytes != data.bytes)
        #expect(third.statistics.renders.started == 1)
        await third.shutdown()
    }

    @Test("a damaged photograph is not tried again")
    func refusals() async throws {
        let size = PixelSize(width: 64, height: 64)
        let options = ImageRequestOptions { $0.deliveryMode = .highQuality }
        for round in 0..<2 {
            let manager = manager()
            let cut = try #require(try await assets().last)
            await #expect(throws: ImageRequestError.self) {
                _ = try await manager.image(for: cut, targetSize: size, options: options)
            }
            #expect(manager.statistics.renders.started == 1 - round)
            #expect(manager.statistics.tiers.refusals == round)
            await manager.shutdown()
        }
    }

    @Test("without a store, a damaged photograph is tried once by each manager, and shows what there is of it")
    func refusalsInMemory() async throws {
        let manager = ImageManager.undisturbed { $0.workerCount = 1 }
        let cut = try #require(try await assets().last)
        let size = PixelSize(width: 64, height: 64)
        for _ in 0..<3 {
            await #expect(throws: ImageRequestError.self) {
                _ = try await manager.image(
                    for: cut, targetSize: size, options: ImageRequestOptions { $0.deliveryMode = .highQuality })
            }
        }
        #expect(manager.statistics.renders.started == 1)
        #expect(manager.statistics.renders.spared == 2)
        var images: [[UInt8]] = []
        for _ in 0..<3 { images.append(pixels(try await manager.image(for: cut, targetSize: size))) }
        #expect(images[0] == images[1] && images[1] == images[2])
        // The one further render has made the partial image.
        #expect(manager.statistics.renders.started == 2)
        await manager.shutdown()
    }

    @Test("a store that cannot be used costs nothing but itself, and says why")
    func unusable() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        // A file lies where the folder should be.
        try Data().write(to: URL(fileURLWithPath: folder.path + "/store"))
        let manager = manager()
        let asset = try await assets()[0]
        _ = try await manager.image(for: asset, targetSize: PixelSize(width: 64, height: 64))
        #expect(manager.storeStatistics?.failure != nil)
        await manager.shutdown()
    }

    @Test("metrics tell of the store: look-ups, bytes, the time that hits have saved, and whether it works")
    func metrics() async throws {
        let asset = try await assets()[0]
        for _ in 0..<2 {
            let manager = manager()
            _ = try await manager.image(for: asset, targetSize: PixelSize(width: 64, height: 64))
            await manager.shutdown()
            guard let statistics = manager.storeStatistics, statistics.hits > 0 else { continue }
            #expect(statistics.hitByteCount > 0)
            #expect(statistics.savedMilliseconds > 0)
            let text = statistics.prometheusText
            #expect(text.contains("thumbwheel_store_lookups_total{outcome=\"hit\"} 1\n"))
            #expect(text.contains("thumbwheel_store_hit_bytes_total \(statistics.hitByteCount)\n"))
            #expect(text.contains("thumbwheel_store_failing 0\n"))
            #expect(manager.statistics.prometheusText.contains("thumbwheel_tier_hits_total 1\n"))
            return
        }
        Issue.record("the second manager has not found the image")
    }

    @Test("what nobody has seen is not written, and is written once it is seen")
    func flyBy() async throws {
        let size = PixelSize(width: 128, height: 128)
        let manager = manager()
        let assets = try await assets().dropLast()
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: Array(assets), targetSize: size, contentMode: .aspectFill)
        while caching.window.readyCount < assets.count { await Task.yield() }
        #expect(manager.storeStatistics?.writes == 0)
        _ = try await caching.image(for: assets[0], targetSize: size, contentMode: .aspectFill)
        await manager.shutdown()
        #expect(manager.storeStatistics?.writes == 1)
    }
}
