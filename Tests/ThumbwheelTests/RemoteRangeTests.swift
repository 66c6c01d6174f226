import FixtureKit
import TestSupport
import Testing
import Thumbwheel

/// Photographs that are elsewhere and are read by ranges, through the manager.
@Suite("Photographs elsewhere, read by ranges", .endsHangs)
struct RemoteRangeTests {
    private static let front = 64 << 10

    /// A picture of twelve megapixels with detail everywhere: one scene again and again, which is painted soon.
    private static let raster = repeated(4000, 3000)
    private static let preview = Result {
        try JPEGEncoder(quality: 80).encode(repeated(4000, 3000).reduced(toWidth: 320, height: 240))
    }
    private static let baseline = Result { try camera(progressive: false) }
    private static let progressive = Result { try camera(progressive: true) }
    private static let tiled = Result {
        var picture = TiledPicture()
        picture.tileSide = 256
        picture.options = "Q=90"
        picture.thumbnailWidth = 256
        return try picture.file(repeated(1536, 1024))
    }

    private static func repeated(_ width: Int, _ height: Int) -> Raster {
        let tile = Raster(Scene(seed: 77, subject: .landscape), width: 1000, height: 750)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * width * height)
        for y in 0..<height {
            let row = tile.bytes[y % tile.height * 3 * tile.width..<(y % tile.height + 1) * 3 * tile.width]
            var left = 3 * width
            while left > 0 {
                bytes += row.prefix(left)
                left -= min(left, row.count)
            }
        }
        return Raster(width: width, height: height, channels: 3, bytes: bytes)
    }

    /// - Parameter preview: the preview in EXIF; nil for that of the picture itself.
    private static func camera(progressive: Bool, preview: [UInt8]? = nil) throws -> [UInt8] {
        let jpeg = try JPEGEncoder(quality: 92, isProgressive: progressive).encode(raster)
        let exif = ExifBlock(make: "A", preview: try preview ?? Self.preview.get())
        return JPEGSegments.inserting([.exif(exif)], into: jpeg, dropsJFIF: true)
    }

    private let manager = ImageManager.undisturbed { $0.workerCount = 1 }

    private static func provider(_ bytes: [UInt8], isSuspended: Bool = false) -> StepwiseProvider {
        StepwiseProvider(bytes, requiresNetwork: true, offersRanges: true, isSuspended: isSuspended)
    }

    private static func asset(_ resource: AssetResource, _ bytes: [UInt8], number: UInt64 = 1) throws -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 7, low: number),
            head: try ImageHead(reading: MemoryByteSource(bytes)), resource: resource, fileSize: bytes.count,
            originalFilename: "photograph")
    }

    private static func options(_ mode: DeliveryMode, _ configure: (inout ImageRequestOptions) -> Void = { _ in })
        -> ImageRequestOptions
    {
        ImageRequestOptions {
            $0.deliveryMode = mode
            $0.isNetworkAccessAllowed = true
            configure(&$0)
        }
    }

    /// The pixels of the image of the same bytes where they are at hand.
    private func local(_ bytes: [UInt8], _ size: PixelSize, _ options: ImageRequestOptions) async throws -> [UInt8] {
        Self.pixels(
            try await ImageManager.undisturbed().image(
                for: Self.asset(.bytes(bytes), bytes), targetSize: size, options: options))
    }

    private static func pixels(_ bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }

    @Test("a degraded image is made of the first 64 KiB, and says that its photograph is elsewhere")
    func degraded() async throws {
        let bytes = try Self.baseline.get()
        let provider = Self.provider(bytes)
        // A degraded image that comes after the final one is not delivered, so the file waits for it.
        provider.suspend(beyond: Self.front)
        let asset = try Self.asset(.provider(provider), bytes)
        var seen: [(isDegraded: Bool, isInCloud: Bool, source: ImageInfo.Source?)] = []
        let images = manager.images(
            for: asset, targetSize: PixelSize(width: 1000, height: 1000), options: Self.options(.opportunistic))
        for try await image in images {
            provider.resume()
            seen.append((image.info.isDegraded, image.info.isInCloud, image.info.source))
        }
        #expect(seen.map(\.isDegraded) == [true, false])
        #expect(seen.map(\.isInCloud) == [true, false])
        #expect(seen.first?.source == .embedded)
        #expect(provider.ranges.contains(0..<Self.front))
        #expect(provider.readByteCount == Self.front + bytes.count, "the front for the preview, and the file once")
        #expect(manager.statistics.fetches.byteCount == Self.front + bytes.count)
    }

    @Test("a request that may not use the network reads nothing, not even a preview")
    func refused() async throws {
        let bytes = try Self.baseline.get()
        let provider = Self.provider(bytes)
        let asset = try Self.asset(.provider(provider), bytes)
        await #expect(throws: ImageRequestError.networkAccessRequired) {
            try await manager.image(for: asset, targetSize: PixelSize(width: 200, height: 200))
        }
        #expect(provider.readCount == 0)
    }

    @Test("a fast image that the preview covers takes the preview and the photograph's first bytes")
    func preview() async throws {
        let bytes = try Self.baseline.get()
        let provider = Self.provider(bytes)
        let (size, options) = (PixelSize(width: 200, height: 200), Self.options(.fast))
        let image = try await manager.image(
            for: Self.asset(.provider(provider), bytes), targetSize: size, options: options)
        #expect(try await local(bytes, size, options) == Self.pixels(image))
        #expect(provider.readByteCount <= Self.front + 64 << 10)
    }

    @Test("a preview that shows another picture is found out, and the file is brought after all")
    func foreignPreview() async throws {
        let foreign = try JPEGEncoder(quality: 80).encode(
            Raster(Scene(seed: 3, subject: .stillLife), width: 320, height: 240))
        let bytes = try Self.camera(progressive: false, preview: foreign)
        let provider = Self.provider(bytes)
        let (size, options) = (PixelSize(width: 200, height: 200), Self.options(.fast))
        let image = try await manager.image(
            for: Self.asset(.provider(provider), bytes), targetSize: size, options: options)
        #expect(try await local(bytes, size, options) == Self.pixels(image))
        #expect(provider.readByteCount > bytes.count)
    }

    @Test("a progressive file is read as far as the scale needs it")
    func scans() async throws {
        let bytes = try Self.progressive.get()
        let provider = Self.provider(bytes)
        // Without a preview that covers it, an image of 256 pixels is made of the first scans.
        let (size, options) = (PixelSize(width: 400, height: 400), Self.options(.fast))
        let image = try await manager.image(
            for: Self.asset(.provider(provider), bytes), targetSize: size, options: options)
        #expect(try await local(bytes, size, options) == Self.pixels(image))
        print("progressive: \(provider.readByteCount) of \(bytes.count) bytes in \(provider.readCount) reads")
        #expect(provider.readByteCount < bytes.count * 3 / 4)
        #expect(manager.statistics.fetches.byteCount == provider.readByteCount)
    }

    @Test("of a HEIC, a fast image takes the head and the thumbnail, and a crop its tiles")
    func tiles() async throws {
        let bytes = try Self.tiled.get()
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        let thumbnail = try #require(head.previews.first)
        let small = Self.provider(bytes)
        let fast = Self.options(.fast)
        let size = PixelSize(width: 128, height: 128)
        let image = try await manager.image(for: Self.asset(.provider(small), bytes), targetSize: size, options: fast)
        #expect(try await local(bytes, size, fast) == Self.pixels(image))
        #expect(small.readByteCount <= Self.front + thumbnail.byteCount + 64 << 10)
        #expect(small.readByteCount < bytes.count / 2)
        let cropped = Self.provider(bytes)
        let crop = Self.options(.highQuality) {
            $0.resizeMode = .exact
            $0.normalizedCropRect = NormalizedRect(x: 0.7, y: 0.7, width: 0.1, height: 0.1)
        }
        let part = try await manager.image(
            for: Self.asset(.provider(cropped), bytes, number: 2), targetSize: size, options: crop)
        #expect(try await local(bytes, size, crop) == Self.pixels(part))
        print("HEIC: thumbnail \(small.readByteCount), crop \(cropped.readByteCount) of \(bytes.count) bytes")
        #expect(cropped.readByteCount < bytes.count / 2)
        #expect(cropped.readCount <= 8)
    }

    @Test("no worker waits for ranges: with one worker, a local photograph is rendered meanwhile")
    func freeWorker() async throws {
        let bytes = try Self.progressive.get()
        let provider = Self.provider(bytes, isSuspended: true)
        let size = PixelSize(width: 400, height: 400)
        let asset = try Self.asset(.provider(provider), bytes)
        let (manager, options) = (manager, Self.options(.fast))
        async let remote = manager.image(for: asset, targetSize: size, options: options)
        await provider.waitForHeldReads()
        let other = try Bitmap(size: size, format: .rgb) { $0.initializeMemory(as: UInt8.self, repeating: 7) }.encoded(
            as: .png)
        _ = try await manager.image(for: Self.asset(.bytes(other), other, number: 2), targetSize: size)
        provider.resume()
        _ = try await remote
    }

    @Test("a request that is cancelled while ranges come ends, and reads no further")
    func cancelled() async throws {
        let bytes = try Self.progressive.get()
        let provider = Self.provider(bytes, isSuspended: true)
        let asset = try Self.asset(.provider(provider), bytes)
        let log = ResultLog()
        let id = manager.requestImage(
            for: asset, targetSize: PixelSize(width: 400, height: 400), options: Self.options(.fast),
            resultHandler: log.handler())
        await provider.waitForHeldReads()
        manager.cancelImageRequest(id)
        await log.waitForEnds()
        #expect(log.entries() == [.cancelled])
        provider.resume()
        await manager.shutdown()
        #expect(provider.readCount == 1)
    }

    @Test("a network that fails is the error of the request, with ranges as without")
    func failing() async throws {
        let bytes = try Self.progressive.get()
        let provider = StepwiseProvider(bytes, failingAt: 100_000, requiresNetwork: true, offersRanges: true)
        let asset = try Self.asset(.provider(provider), bytes)
        await #expect(throws: ImageRequestError.network(.connectionFailed(reason: "test"))) {
            try await manager.image(
                for: asset, targetSize: PixelSize(width: 400, height: 400), options: Self.options(.fast))
        }
    }
}
