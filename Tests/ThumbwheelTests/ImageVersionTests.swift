import TestSupport
import Testing
import Thumbwheel

/// Which of an asset's pictures a request gets (Semantics.md, "Versions of a picture").
@Suite(.endsHangs) struct ImageVersionTests {
    /// Told apart by their sizes.
    private enum Picture: Int {
        case photograph = 40
        case rendering = 30
        case raw = 50

        func file(_ encoding: ImageEncoding) throws -> [UInt8] {
            try Bitmap(size: PixelSize(width: rawValue, height: 20), format: .rgb) { _ in }.encoded(as: encoding)
        }
    }

    private let library = PhotoLibrary()
    private let manager = ImageManager.undisturbed()

    private func asset(isAdjusted: Bool, hasRAW: Bool) async throws -> Asset {
        let photograph = AssetResource.bytes(try Picture.photograph.file(.jpeg(quality: 90)))
        let raw = AssetResource(type: .alternatePhoto, source: .bytes(try Picture.raw.file(.png)))
        let rendering = AssetResource.bytes(try Picture.rendering.file(.png))
        try await library.performChanges { changes in
            let asset = try changes.createAsset(from: hasRAW ? [photograph, raw] : [photograph])
            guard isAdjusted else { return }
            try changes.setAdjusted(
                asset, rendering: rendering,
                adjustmentData: AdjustmentData(formatIdentifier: "test", formatVersion: "1", data: []))
        }
        return try #require(Array(library.fetchAssets()).last)
    }

    @Test(
        "each version is its picture, as pixels and as its file",
        arguments: [
            (false, false, 40, 40, 40), (true, false, 30, 40, 40), (false, true, 40, 40, 50), (true, true, 30, 40, 50),
        ])
    func versions(isAdjusted: Bool, hasRAW: Bool, current: Int, unadjusted: Int, original: Int) async throws {
        let asset = try await asset(isAdjusted: isAdjusted, hasRAW: hasRAW)
        for (version, width) in zip(ImageVersion.allCases, [current, unadjusted, original]) {
            let options = ImageRequestOptions { $0.version = version }
            let bitmap = try await manager.image(for: asset, targetSize: .maximum, options: options)
            #expect(bitmap.size.width == width)
            let data = try await manager.imageData(for: asset, options: options)
            #expect(data.pixelSize.width == width)
            #expect(data.contentType == (width == Picture.photograph.rawValue ? .jpeg : .png))
            #expect(try ImageHead(reading: MemoryByteSource(data.bytes)).displaySize.width == width)
        }
    }

    @Test("versions that are one picture are rendered once, and others never stand in for one another")
    func keys() async throws {
        let plain = try await asset(isAdjusted: false, hasRAW: false)
        for version in ImageVersion.allCases {
            _ = try await manager.image(
                for: plain, targetSize: .small, options: ImageRequestOptions { $0.version = version })
        }
        #expect(manager.statistics.renders.started == 1)
        let both = try await asset(isAdjusted: true, hasRAW: true)
        let log = ResultLog()
        let tags = ImageVersion.allCases.map { version in
            manager.entityTag(for: both, targetSize: .small, options: ImageRequestOptions { $0.version = version })
        }
        #expect(Set(tags).count == 3)
        for (number, version) in ImageVersion.allCases.enumerated() {
            manager.requestImage(
                for: both, targetSize: .maximum, options: ImageRequestOptions { $0.version = version },
                resultHandler: log.handler(number))
            await log.waitForEnds(number + 1)
            // No cached image of another version came first.
            #expect(log.entries(number).count == 1)
        }
        #expect(manager.statistics.renders.started == 4)
    }

    @Test("a version may be elsewhere while another is at hand")
    func availability() async throws {
        let photograph = try Picture.photograph.file(.jpeg(quality: 90))
        let provider = SuspendableProvider("raw", try Picture.raw.file(.png))
        let asset = Asset(
            identifier: AssetIdentifier(high: 0, low: 1), head: try ImageHead(reading: MemoryByteSource(photograph)),
            resource: .bytes(photograph), fileSize: photograph.count, originalFilename: "photograph.jpg",
            otherResources: [AssetResource(type: .alternatePhoto, source: .provider(provider))])
        #expect(ImageVersion.allCases.map { asset.isLocallyAvailable($0) } == [true, true, false])
        _ = try await manager.image(for: asset, targetSize: .small)
        await #expect(throws: ImageRequestError.networkAccessRequired) {
            try await manager.image(
                for: asset, targetSize: .small, options: ImageRequestOptions { $0.version = .original })
        }
        let options = ImageRequestOptions {
            $0.version = .original
            $0.isNetworkAccessAllowed = true
        }
        let task = Task { try await manager.image(for: asset, targetSize: .maximum, options: options) }
        await provider.waitForFetches()
        provider.answer()
        #expect(try await task.value.size.width == Picture.raw.rawValue)
    }
}
