import TestSupport
import Testing
import Thumbwheel

/// Requests for images in linear light beside requests for the same pictures in 8 bits.
@Suite(.endsHangs) struct PixelRangeTests {
    private static let size = PixelSize(width: 120, height: 80)
    private static let standard = ImageRequestOptions {
        $0.deliveryMode = .highQuality
        $0.resizeMode = .exact
        $0.isNetworkAccessAllowed = true
    }
    private static let extended: ImageRequestOptions = {
        var options = standard
        options.pixelRange = .extended
        return options
    }()

    private let file: [UInt8]

    init() throws {
        file = try Bitmap(size: PixelSize(width: 960, height: 640), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 7) }
        }.encoded(as: .jpeg(quality: 90))
    }

    private func asset(_ number: UInt64 = 1, from source: AssetResource? = nil) throws -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 0, low: number), head: try ImageHead(reading: MemoryByteSource(file)),
            resource: source ?? .bytes(file), fileSize: file.count, originalFilename: "photograph.jpg")
    }

    @Test("a cached image of one format never answers a request for the other")
    func separation() async throws {
        let manager = ImageManager.undisturbed()
        let asset = try asset()
        for _ in 0..<2 {
            let narrow = try await manager.image(for: asset, targetSize: Self.size, options: Self.standard)
            #expect(narrow.format == .rgb)
            let wide = try await manager.image(for: asset, targetSize: Self.size, options: Self.extended)
            #expect(wide.format == .linearRGBA && wide.size == narrow.size)
        }
        // Larger images of either format are at hand for a smaller one.
        let large = PixelSize(width: 900, height: 600)
        _ = try await manager.image(for: asset, targetSize: large, options: Self.standard)
        let small = PixelSize(width: 90, height: 60)
        #expect(
            try await manager.image(for: asset, targetSize: small, options: Self.extended).format == .linearRGBA)
        _ = try await manager.image(for: asset, targetSize: large, options: Self.extended)
        let tiny = PixelSize(width: 60, height: 40)
        #expect(try await manager.image(for: asset, targetSize: tiny, options: Self.standard).format == .rgb)
    }

    @Test("requests of both formats at the same time each get their own, from a decode each")
    func sharing() async throws {
        let provider = SuspendableProvider("photograph", file)
        let asset = try asset(from: .provider(provider))
        let manager = ImageManager.undisturbed()
        async let narrow = manager.image(for: asset, targetSize: Self.size, options: Self.standard)
        async let wide = manager.image(for: asset, targetSize: Self.size, options: Self.extended)
        while manager.statistics.liveRequestCount < 2 { await Task.yield() }
        await provider.waitForFetches()
        provider.answer()
        #expect(try await narrow.format == .rgb)
        #expect(try await wide.format == .linearRGBA)
        #expect(manager.statistics.renders.finished == 2)
    }

    @Test("eight bytes a pixel are paid from the budget")
    func memory() async throws {
        let manager = ImageManager.undisturbed()
        _ = try await manager.image(for: try asset(), targetSize: Self.size, options: Self.extended)
        #expect(manager.statistics.cachedByteCount == 120 * 80 * 8)
    }

    @Test("a cached image of the other format is no degraded image")
    func degraded() async throws {
        let manager = ImageManager.undisturbed()
        let asset = try asset()
        _ = try await manager.image(for: asset, targetSize: Self.size, options: Self.standard)
        var options = Self.extended
        options.deliveryMode = .opportunistic
        var formats: [Bitmap.PixelFormat] = []
        let large = PixelSize(width: 600, height: 400)
        for try await image in manager.images(for: asset, targetSize: large, options: options) {
            formats.append(image.bitmap.format)
        }
        #expect(formats == [.linearRGBA])
        // A smaller image of the same format is one.
        formats = []
        options.pixelRange = .standard
        for try await image in manager.images(for: asset, targetSize: large, options: options) {
            formats.append(image.bitmap.format)
        }
        #expect(formats == [.rgb, .rgb])
    }

    @Test("a file is the same, whichever format its request asks for")
    func files() async throws {
        let manager = ImageManager.undisturbed()
        let asset = try asset()
        let narrow = try await manager.imageData(
            for: asset, targetSize: Self.size, encoding: .png, options: Self.standard)
        let wide = try await manager.imageData(
            for: asset, targetSize: Self.size, encoding: .png, options: Self.extended)
        #expect(narrow.bytes == wide.bytes && narrow.entityTag == wide.entityTag)
        #expect(manager.statistics.renders.finished == 1)
    }

    @Test("idle workers leave them as they are, and they come back pixel for pixel")
    func packing() async throws {
        let manager = ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 4 << 20
            $0.packsRenditions = true
        }
        let size = PixelSize(width: 330, height: 220)
        var pictures: [[UInt8]] = []
        for _ in 0..<2 {
            for number in 1...5 {
                let image = try await manager.image(
                    for: try asset(UInt64(number)), targetSize: size, options: Self.extended)
                pictures.append(image.withUnsafeBytes { Array($0) })
            }
        }
        #expect(Set(pictures).count == 1 && pictures[0].count == 330 * 220 * 8)
        #expect(manager.statistics.cache.packed == 0)
        #expect(manager.statistics.budgetPeakByteCount <= 4 << 20)
    }

    @Test("an asset is made of one, as JPEG if it has no alpha")
    func creation() async throws {
        let light = try await Thumbnail.image(
            from: file, size: Self.size, options: RenderOptions(targetSize: Self.size) { $0.pixelRange = .extended })
        #expect(light.format == .linearRGBA)
        let library = PhotoLibrary()
        let identifiers = try await library.performChanges { changes in
            [try changes.createAsset(from: light, originalFilename: "a").localIdentifier]
        }
        #expect(library.fetchAssets(withLocalIdentifiers: identifiers).map(\.originalFilename) == ["a.jpg"])
    }
}
