import TestSupport
import Testing
import ThumbwheelLocks

@testable import Thumbwheel

@Suite("Managers that share, follow and refuse", .endsHangs) struct SharedManagerTests {
    private let size = PixelSize(width: 16, height: 16)

    private static func bitmap(_ level: UInt8) -> Bitmap {
        Bitmap(size: PixelSize(width: 32, height: 32), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = level }
        }
    }

    @Test("the default manager follows the shared library")
    func shared() {
        #expect(ImageManager.default === ImageManager.default && PhotoLibrary.shared === PhotoLibrary.shared)
        #expect(ImageManager.default.observations.withLock { $0.count } == 1)
    }

    @Test("a caching manager is an image manager by every method, on the threads and the budget of another")
    func caching() async throws {
        let caching = CachingImageManager()
        #expect(caching.imageManager === ImageManager.default && caching.pipeline === ImageManager.default.pipeline)
        #expect(CachingImageManager(caching).pipeline === caching.pipeline)
        let manager: ImageManager = CachingImageManager(ImageManager.undisturbed())
        let library = PhotoLibrary()
        let identifier = try await library.performChanges { try $0.createAsset(from: Self.bitmap(7)) }.identifier
        let asset = try #require(library.asset(withIdentifier: identifier))
        #expect(try await manager.image(for: asset, targetSize: size).size == size)
        #expect(try await manager.imageData(for: asset).contentType == .jpeg)
        #expect(manager.placeholder(for: asset) != nil && manager.statistics.renders.started > 0)
        #expect(manager.windows.count == 1)
    }

    @Test("a manager outlives the caching managers on it, and its requests with it")
    func lifetime() async throws {
        let renderer = SuspendableRenderer()
        let manager = ImageManager(renderer)
        var caching: CachingImageManager? = CachingImageManager(manager)
        #expect(caching?.cachingManagerCount == 1)
        caching = nil
        #expect(manager.windows.isEmpty)
        _ = try await manager.image(for: Pictures.asset(1), targetSize: .small)
    }

    @Test("a window stops an asset that was edited since it was started, in every version")
    func editedAssets() async throws {
        let (caching, library) = (CachingImageManager(ImageManager.undisturbed()), PhotoLibrary())
        for version in ImageVersion.allCases {
            let identifier = try await library.performChanges { try $0.createAsset(from: Self.bitmap(7)).identifier }
            let options = ImageRequestOptions { $0.version = version }
            let before = try #require(library.asset(withIdentifier: identifier))
            caching.startCachingImages(for: [before], targetSize: size, options: options)
            #expect(caching.window.imageCount == 1)
            try await library.performChanges { changes in
                try changes.setAdjusted(
                    identifier, rendering: .bytes(try Self.bitmap(9).encoded(as: .png)),
                    adjustmentData: AdjustmentData(formatIdentifier: "a", formatVersion: "1", data: []))
            }
            let after = try #require(library.asset(withIdentifier: identifier))
            caching.stopCachingImages(for: [after], targetSize: size, options: options)
            #expect(caching.window.imageCount == 0, "\(version)")
        }
    }

    @Test("a manager that follows a library keeps nothing of what was deleted or has another picture")
    func following() async throws {
        let (manager, library) = (ImageManager.undisturbed(), PhotoLibrary())
        let caching = CachingImageManager(manager)
        manager.follow(library)
        let identifiers = try await library.performChanges { changes in
            [
                try changes.createAsset(from: Self.bitmap(7)).identifier,
                try changes.createAsset(from: Self.bitmap(8)).identifier,
            ]
        }
        for asset in library.fetchAssets() { _ = try await manager.image(for: asset, targetSize: size) }
        caching.startCachingImages(for: library.fetchAssets(), targetSize: size)
        #expect(manager.statistics.cachedByteCount > 0 && caching.window.imageCount == 2)
        try await library.performChanges { changes in
            try changes.deleteAssets([identifiers[0]])
            try changes.deleteAssetsPermanently([identifiers[0]])
            try changes.setAdjusted(
                identifiers[1], rendering: .bytes(try Self.bitmap(9).encoded(as: .png)),
                adjustmentData: AdjustmentData(formatIdentifier: "a", formatVersion: "1", data: []))
        }
        while manager.statistics.cachedByteCount > 0 || caching.window.imageCount > 0 { await Task.yield() }
    }

    @Test("no workers, no fetches and a budget below nothing are errors, and make no manager")
    func validation() {
        let bad: [(ImageManager.ConfigurationError, (inout ImageManager.Configuration) -> Void)] = [
            (.noWorkers(0), { $0.workerCount = 0 }), (.noWorkers(-3), { $0.workerCount = -3 }),
            (.noFetches(0), { $0.fetchLimit = 0 }), (.negativeMemoryBudget(-1), { $0.memoryBudget = -1 }),
        ]
        for (error, change) in bad {
            #expect(throws: error) {
                try ImageManager(configuration: ImageManager.Configuration { change(&$0) })
            }
            #expect(!error.description.isEmpty)
        }
        #expect(throws: Never.self) { try ImageManager(configuration: ImageManager.Configuration()) }
    }
}
