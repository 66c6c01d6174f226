import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

/// The table of delivery modes (Semantics.md, "Delivery modes"), row for row: the calls that a handler gets, in their
/// order, by the kind of the request and the place of the bytes. Sizes are widths; the photograph has 1600×1200 pixels, its
/// preview 160×120.
@Suite(.endsHangs) struct InterplayMatrixTests {
    enum Bytes {
        /// In memory.
        case local
        /// The very rendition is cached.
        case cached
        /// The photograph is in memory, and a rendition 40 pixels wide is cached.
        case localAndSmallerCached
        case remote
        /// Elsewhere, with a copy 120 pixels wide at hand.
        case remoteWithProxy
    }

    enum Call: Equatable, CustomStringConvertible {
        case degraded(Int)
        case progress
        case final(Int)
        /// Any final image so wide: where only a range is promised.
        case finalWithin(ClosedRange<Int>)
        case failed(String)
        case cancelled

        var description: String {
            switch self {
            case .degraded(let width): "degraded \(width)"
            case .progress: "progress"
            case .final(let width): "final \(width)"
            case .finalWithin(let widths): "final \(widths)"
            case .failed(let code): code
            case .cancelled: "cancelled"
            }
        }

        func allows(_ other: Call) -> Bool {
            if case .finalWithin(let widths) = self, case .final(let width) = other { return widths.contains(width) }
            return self == other
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var isSynchronous = false
        var mode: DeliveryMode
        var isNetworkAllowed = false
        var bytes: Bytes
        var resize = ResizeMode.exact
        var content = ContentMode.aspectFit
        var target = PixelSize(width: 300, height: 300)
        var crop: NormalizedRect?
        var allowsSecondDegraded = false
        var isCancelled = false
        var calls: [Call]

        var testDescription: String {
            "\(isSynchronous ? "synchronous " : "")\(mode), network \(isNetworkAllowed), \(bytes), \(resize), \(content)"
                + "\(target == .maximum ? ", maximum" : "")\(crop == nil ? "" : ", crop")"
                + "\(isCancelled ? ", cancelled" : ""): \(calls)"
        }
    }

    /// What each resize mode makes of a fit into 300×300: the next eighth, up to less than twice the target, the
    /// target.
    private static let sizes: [(ResizeMode, Call)] = [
        (.none, .final(400)), (.fast, .finalWithin(300...599)), (.exact, .final(300)),
    ]
    private static let half = NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5)

    private static let synchronousRows: [Row] = {
        var rows: [Row] = []
        for mode in DeliveryMode.allCases {
            // true | any (treated as high quality) | – | local
            for (resize, call) in sizes {
                rows.append(Row(isSynchronous: true, mode: mode, bytes: .local, resize: resize, calls: [call]))
            }
            // true | any | false | cloud
            rows.append(
                Row(isSynchronous: true, mode: mode, bytes: .remoteWithProxy, calls: [.failed("networkAccessRequired")])
            )
            // true | any | true | cloud
            rows.append(
                Row(
                    isSynchronous: true, mode: mode, isNetworkAllowed: true, bytes: .remoteWithProxy,
                    calls: [.progress, .final(300)]))
        }
        return rows
    }()

    private static let opportunisticRows: [Row] = {
        // false | opportunistic | – | final cheap or cached
        var rows = [Row(mode: .opportunistic, bytes: .cached, calls: [.final(300)])]
        // false | opportunistic | – | local: the first unresized, the final by its resize mode
        for (resize, call) in sizes {
            rows.append(Row(mode: .opportunistic, bytes: .local, resize: resize, calls: [.degraded(160), call]))
        }
        rows.append(Row(mode: .opportunistic, bytes: .localAndSmallerCached, calls: [.degraded(40), .final(300)]))
        // Three with a second degraded image.
        rows.append(
            Row(
                mode: .opportunistic, bytes: .localAndSmallerCached, allowsSecondDegraded: true,
                calls: [.degraded(40), .degraded(160), .final(300)]))
        // false | opportunistic | false | cloud, thumbnail local
        rows.append(
            Row(
                mode: .opportunistic, bytes: .remoteWithProxy,
                calls: [.degraded(120), .failed("networkAccessRequired")]))
        // false | opportunistic | true | cloud
        rows.append(
            Row(
                mode: .opportunistic, isNetworkAllowed: true, bytes: .remoteWithProxy,
                calls: [.degraded(120), .progress, .final(300)]))
        rows.append(
            Row(mode: .opportunistic, isNetworkAllowed: true, bytes: .remote, calls: [.progress, .final(300)]))
        return rows
    }()

    private static let singleRows: [Row] = {
        var rows: [Row] = []
        for (resize, call) in sizes {
            // false | high quality | – | local
            rows.append(Row(mode: .highQuality, bytes: .local, resize: resize, calls: [call]))
            // false | fast | – | local: exact is exact in size here too (decision)
            rows.append(Row(mode: .fast, bytes: .local, resize: resize, calls: [call]))
        }
        // false | high quality | false | cloud
        rows.append(Row(mode: .highQuality, bytes: .remoteWithProxy, calls: [.failed("networkAccessRequired")]))
        // any | – | – | cancelled: exactly one call
        for mode in DeliveryMode.allCases {
            rows.append(
                Row(mode: mode, isNetworkAllowed: true, bytes: .remote, isCancelled: true, calls: [.cancelled]))
        }
        // any | any | – | maximum: resize and content mode are inert
        for resize in ResizeMode.allCases {
            for content in ContentMode.allCases {
                rows.append(
                    Row(
                        mode: .highQuality, bytes: .local, resize: resize, content: content, target: .maximum,
                        calls: [.final(1600)]))
            }
        }
        // any | any | – | a crop without exact is ignored; with it, half of the picture is all there is
        rows.append(Row(mode: .highQuality, bytes: .local, resize: .none, crop: half, calls: [.final(400)]))
        rows.append(Row(mode: .highQuality, bytes: .local, resize: .fast, crop: half, calls: [.finalWithin(300...599)]))
        rows.append(
            Row(mode: .highQuality, bytes: .local, resize: .exact, target: .maximum, crop: half, calls: [.final(800)]))
        return rows
    }()

    /// One worker, so that what has to come first can.
    private static func manager() -> ImageManager {
        .undisturbed {
            $0.workerCount = 1
            $0.executor = .inline
        }
    }

    private static func picture(_ width: Int) throws -> [UInt8] {
        try Bitmap(size: PixelSize(width: width, height: width * 3 / 4), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 9) }
        }.encoded(as: .jpeg(quality: 90))
    }

    /// The photograph, and behind its end a preview that its head tells of.
    private static let photograph = Result { try picture(1600) }
    private static let preview = Result { try picture(160) }

    private func asset(_ bytes: Bytes) throws -> Asset {
        let (photograph, preview) = (try Self.photograph.get(), try Self.preview.get())
        var head = try ImageHead(reading: MemoryByteSource(photograph))
        head.previews = [
            EmbeddedPreview(
                byteRange: photograph.count..<photograph.count + preview.count, contentType: .jpeg)
        ]
        let contents = photograph + preview
        let isRemote = bytes == .remote || bytes == .remoteWithProxy
        let proxy = AssetResource(type: .photoProxy, source: .bytes(try Self.picture(120)))
        return Asset(
            identifier: AssetIdentifier(high: 0, low: 1), head: head,
            resource: isRemote ? .provider(NearbyProvider(contents: contents)) : .bytes(contents),
            fileSize: contents.count, originalFilename: "photograph.jpg",
            otherResources: bytes == .remoteWithProxy ? [proxy] : [])
    }

    @Test("each row of the matrix gets its calls, and no others", arguments: opportunisticRows + singleRows)
    func asynchronous(row: Row) async throws {
        let manager = Self.manager()
        let asset = try asset(row.bytes)
        var options = options(of: row)
        switch row.bytes {
        case .cached:
            _ = try await manager.image(
                for: asset, targetSize: row.target, contentMode: row.content, options: options)
        case .localAndSmallerCached:
            let small = ImageRequestOptions {
                $0.deliveryMode = .highQuality
                $0.resizeMode = .exact
            }
            _ = try await manager.image(for: asset, targetSize: PixelSize(width: 40, height: 40), options: small)
        case .local, .remote, .remoteWithProxy: break
        }
        let calls = Mutex<[Call]>([])
        let log = ResultLog()
        options.progressHandler = { _, stop in
            calls.withLock { if $0.last != .progress { $0.append(.progress) } }
        }
        let token = CancellationToken()
        if row.isCancelled { token.cancel() }
        options.cancellationToken = token
        options.executor = row.isCancelled ? DeliveryExecutor.concurrent : .inline
        let id = manager.requestImage(
            for: asset, targetSize: row.target, contentMode: row.content, options: options,
            resultHandler: log.handler { result in
                calls.withLock { $0.append(Self.call(result)) }
                Self.check(result, row)
            })
        await log.waitForEnds()
        await manager.shutdown()
        #expect(log.violations == [])
        let all = calls.withLock { $0 }
        // When bytes come and when a degraded image is made are independent; all that is sure is which comes last.
        #expect(row.isCancelled || all.contains(.progress) == row.calls.contains(.progress))
        let expected = row.calls.filter { $0 != .progress }
        let received = all.filter { $0 != .progress }
        #expect(received.count == expected.count && zip(expected, received).allSatisfy { $0.allows($1) }, "\(received)")
        #expect(all.last != .progress)
        if let info = log.info() { #expect(info.requestID == id) }
    }

    @Test("a synchronous request has one result, whatever its mode", arguments: synchronousRows)
    func synchronous(row: Row) throws {
        let manager = Self.manager()
        var options = options(of: row)
        let hasProgress = Mutex(false)
        options.progressHandler = { _, _ in hasProgress.withLock { $0 = true } }
        let result = manager.requestImageSynchronously(
            for: try asset(row.bytes), targetSize: row.target, contentMode: row.content, options: options)
        let received = (hasProgress.withLock { $0 } ? [.progress] : []) + [Self.call(result)]
        #expect(
            received.count == row.calls.count && zip(row.calls, received).allSatisfy { $0.allows($1) }, "\(received)")
        Self.check(result, row)
    }

    private func options(of row: Row) -> ImageRequestOptions {
        ImageRequestOptions {
            $0.deliveryMode = row.mode
            $0.resizeMode = row.resize
            $0.normalizedCropRect = row.crop
            $0.allowSecondaryDegradedImage = row.allowsSecondDegraded
            $0.isNetworkAccessAllowed = row.isNetworkAllowed
        }
    }

    private static func call(_ result: ImageResult) -> Call {
        switch result {
        case .degraded(let bitmap, _): .degraded(bitmap.size.width)
        case .final(let bitmap, _): .final(bitmap.size.width)
        case .failed(let error, _): .failed(error.name)
        case .cancelled: .cancelled
        }
    }

    /// What every result tells of itself.
    private static func check(_ result: ImageResult, _ row: Row) {
        let info = result.info
        if case .degraded = result { #expect(info.isInCloud == (row.bytes == .remoteWithProxy)) }
        #expect(info.asset == AssetIdentifier(high: 0, low: 1))
        #expect(info.pixelSize == result.bitmap?.size)
        #expect(info.isDegraded == !result.isTerminal)
        #expect((info.source == nil) == (result.bitmap == nil))
        #expect(info.queueMilliseconds >= 0 && info.renderMilliseconds >= 0 && info.networkMilliseconds >= 0)
        guard case .final = result else { return }
        #expect(info.isFromNetwork == (row.bytes == .remote || row.bytes == .remoteWithProxy))
        #expect((info.source == .cache) == (row.bytes == .cached))
        #expect(info.eighths != nil && info.decoder != nil)
    }
}

/// A network that is always there.
private struct NearbyProvider: ResourceProvider {
    let identifier = "nearby"
    let requiresNetwork = true
    let contents: [UInt8]

    func open() -> any ByteSource { MemoryByteSource(contents) }

    func fetch(upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void) async -> [UInt8] {
        progress(0.5)
        progress(1)
        return contents
    }
}
