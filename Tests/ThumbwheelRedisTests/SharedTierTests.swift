import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCaching
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// Managers of several servers that share a Redis, each with a folder of its own.
@Suite(.endsHangs, .enabled(if: RedisServer.isInstalled, "redis-server is not installed"))
struct SharedTierTests {
    private let clock = ManualClock()
    private let size = PixelSize(width: 100, height: 100)

    private func manager(_ store: any SharedStore, folder: String? = nil) -> ImageManager {
        ImageManager.undisturbed {
            $0.workerCount = 2
            $0.sharedStore = store
            $0.store = folder.map { ImageManager.Configuration.Store(folder: $0) }
            // Nothing depends on how busy the machine is.
            $0.waitsWithoutTimeLimit = true
        }
    }

    private func store(_ server: RedisServer) -> RedisStore {
        RedisStore(RedisStore.Configuration(url: server.url)) { [clock] in clock.now }
    }

    /// A folder of photographs, written with the same dates as on every other server.
    private func write(_ count: Int, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 0..<count {
            let bytes = try Bitmap(size: PixelSize(width: 640, height: 480), format: .rgb) { pixels in
                for index in pixels.indices {
                    pixels[index] = UInt8(truncatingIfNeeded: index / 3 % 640 * (number + 1) / 4 + index / 1_920)
                }
            }.encoded(as: .jpeg(quality: 90))
            let path = "\(folder)/\(number).jpg"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + Double(number))], ofItemAtPath: path)
        }
        try Data([0xFF, 0xD8, 0xFF, 0xE0, 0]).write(to: URL(fileURLWithPath: "\(folder)/broken.jpg"))
    }

    private func assets(in folder: String) async throws -> [Asset] {
        let library = PhotoLibrary()
        _ = try await library.importFolder(at: folder)
        return Array(library.fetchAssets()).sorted { $0.originalFilename < $1.originalFilename }
    }

    @Test("what one server has made another does not make, and keeps on its own disk too")
    func sharing() async throws {
        let (server, scratch) = (try RedisServer(), try ScratchFolder())
        for name in ["one", "two"] { try write(4, to: scratch.path + "/" + name) }
        let stores = (0..<3).map { _ in store(server) }
        let first = manager(stores[0])
        var expected: [[UInt8]] = []
        for asset in try await assets(in: scratch.path + "/one") where asset.originalFilename != "broken.jpg" {
            let data = try await first.imageData(for: asset, targetSize: size, encoding: .jpeg(quality: 80))
            expected.append(data.bytes)
        }
        #expect(first.statistics.renders.started == 4)
        await first.shutdown()
        let folder = scratch.path + "/store"
        let second = manager(stores[1], folder: folder)
        let others = try await assets(in: scratch.path + "/two").filter { $0.originalFilename != "broken.jpg" }
        for (asset, bytes) in zip(others, expected) {
            let data = try await second.imageData(for: asset, targetSize: size, encoding: .jpeg(quality: 80))
            #expect(data.bytes == bytes)
        }
        #expect(second.statistics.renders.started == 0)
        #expect(second.statistics.tiers.sharedHits == 4)
        let shared = try #require(second.sharedStoreStatistics)
        #expect(shared.hits == 4 && shared.hitByteCount > 0 && shared.savedMilliseconds > 0)
        #expect(shared.prometheusText.contains("thumbwheel_shared_store_lookups_total{outcome=\"hit\"} 4\n"))
        #expect(first.sharedStoreStatistics?.claimsWon == 4)
        #expect(first.sharedStoreStatistics?.writtenByteCount ?? 0 == shared.hitByteCount)
        await second.shutdown()
        #expect(second.storeStatistics?.writes == 4)
        // Redis is gone, and the disk has all of it.
        server.stop()
        let third = manager(stores[2], folder: folder)
        for (asset, bytes) in zip(others, expected) {
            let data = try await third.imageData(for: asset, targetSize: size, encoding: .jpeg(quality: 80))
            #expect(data.bytes == bytes)
        }
        #expect(third.statistics.renders.started == 0)
        await third.shutdown()
        for store in stores { store.close() }
    }

    @Test("one rendition that eight servers want at once is rendered once")
    func once() async throws {
        let (server, scratch) = (try RedisServer(), try ScratchFolder())
        try write(10, to: scratch.path)
        let stores = (0..<8).map { _ in store(server) }
        let managers = stores.map { manager($0) }
        let library = try await assets(in: scratch.path).filter { $0.originalFilename != "broken.jpg" }
        for asset in library {
            await withTaskGroup(of: Void.self) { group in
                for manager in managers {
                    group.addTask {
                        let data = try? await manager.imageData(
                            for: asset, targetSize: size, encoding: .jpeg(quality: 80))
                        #expect(data != nil)
                    }
                }
            }
        }
        #expect(managers.reduce(0) { $0 + $1.statistics.renders.started } == library.count)
        #expect(managers.reduce(0) { $0 + $1.statistics.requests.failed } == 0)
        for manager in managers { await manager.shutdown() }
        for store in stores { store.close() }
    }

    @Test("a Redis that is not there costs nothing but itself, and says why")
    func absent() async throws {
        let scratch = try ScratchFolder()
        try write(3, to: scratch.path)
        let url = try #require(RedisURL("unix://\(scratch.path)/none.sock"))
        let store = RedisStore(RedisStore.Configuration(url: url)) { [clock] in clock.now }
        let manager = manager(store)
        for asset in try await assets(in: scratch.path) where asset.originalFilename != "broken.jpg" {
            _ = try await manager.image(for: asset, targetSize: size)
        }
        #expect(manager.statistics.requests.failed == 0)
        let statistics = try #require(manager.sharedStoreStatistics)
        #expect(statistics.failure != nil && statistics.failures > 0)
        #expect(statistics.prometheusText.contains("thumbwheel_shared_store_failing 1\n"))
        await manager.shutdown()
        store.close()
    }

    @Test("a claim tells those that wait where the value was too large, and what is probably too large is not claimed")
    func largeValues() async throws {
        let scratch = try ScratchFolder()
        try write(1, to: scratch.path)
        for (limit, size, expected) in [
            (1 << 20, size, ["claim", "put", "end"]), (16, size, ["claim", "end without value"]),
            // 210 by 158 pixels, which would take about 66 KB.
            (1 << 20, PixelSize(width: 210, height: 210), ["put"]),
        ] {
            let store = RecordingStore(valueByteLimit: limit)
            let manager = manager(store)
            let asset = try #require(try await assets(in: scratch.path).first { $0.originalFilename == "0.jpg" })
            _ = try await manager.image(for: asset, targetSize: size)
            while store.log.count < expected.count { await Task.yield() }
            #expect(store.log == expected)
            await manager.shutdown()
        }
    }

    @Test("what cannot be rendered is tried by one server only")
    func refusals() async throws {
        let (server, scratch) = (try RedisServer(), try ScratchFolder())
        try write(1, to: scratch.path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/0.jpg"))
        let path = scratch.path + "/cut.jpg"
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let options = ImageRequestOptions { $0.deliveryMode = .highQuality }
        for round in 0..<2 {
            let store = store(server)
            let manager = manager(store)
            let cut = try #require(try await assets(in: scratch.path).first { $0.originalFilename == "cut.jpg" })
            await #expect(throws: ImageRequestError.self) {
                _ = try await manager.image(for: cut, targetSize: size, options: options)
            }
            #expect(manager.statistics.renders.started == 1 - round)
            #expect(manager.statistics.tiers.refusals == round)
            await manager.shutdown()
            store.close()
        }
    }
}
