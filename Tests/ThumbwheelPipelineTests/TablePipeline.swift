import SimulationKit
import TestSupport
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// A pipeline on a table: requests in few words, jobs that end when told, and what each request has received.
struct TablePipeline {
    /// A result, told apart by what tests look at.
    enum Received: Equatable {
        case progress(Double)
        case degraded(side: Int)
        case final(RenditionKey.Kind)
        case cached(RenditionKey.Kind)
        case partial(RenditionKey.Kind)
        case failed(String)
        case cancelled
    }

    /// A rendition, likewise.
    struct Rendition: Hashable {
        var asset: Int
        var kind = RenditionKey.Kind.high
        var side = 100
        var crop: NormalizedRect?
        var encoding: ImageEncoding?
        /// The picture of the asset, which an edit changes.
        var contentVersion: UInt32 = 1

        var key: RenditionKey {
            RenditionKey(
                subject: RenditionKey.Subject(
                    asset: AssetIdentifier(high: 0, low: UInt64(asset)), contentVersion: contentVersion),
                kind: kind,
                options: RenderOptions(targetSize: PixelSize(width: side, height: side), normalizedCropRect: crop),
                encoding: encoding)
        }

        init(
            _ asset: Int, _ kind: RenditionKey.Kind = .high, side: Int = 100, crop: NormalizedRect? = nil,
            encoding: ImageEncoding? = nil, contentVersion: UInt32 = 1
        ) {
            self.contentVersion = contentVersion
            self.asset = asset
            self.kind = kind
            self.side = side
            self.crop = crop
            self.encoding = encoding
        }

        init(_ key: RenditionKey) {
            asset = Int(key.subject.asset.low)
            kind = key.kind
            side = key.options.targetSize.width
            crop = key.options.normalizedCropRect
            encoding = key.encoding
            contentVersion = key.subject.contentVersion
        }
    }

    static let previewSide = 20

    var driver: PipelineDriver

    init(
        workers: Int = 1, budget: Int = 1 << 30, fetchLimit: Int = 2, servesNewestFirst: Bool = false,
        weighsCost: Bool = true, keepsRenditions: Bool = true, packsRenditions: Bool = false,
        queueLimits: QueueLimits = QueueLimits(), eventCapacity: Int = 0, refusalLimit: Int = 0
    ) {
        driver = PipelineDriver(
            configuration: PipelineState.Configuration(workerCount: workers, budget: budget) {
                $0.fetchLimit = fetchLimit
                $0.servesNewestFirst = servesNewestFirst
                $0.weighsCost = weighsCost
                $0.keepsRenditions = keepsRenditions
                $0.packedTiers = packsRenditions ? [.packed] : []
                $0.recordsRenders = true
                $0.queueLimits = queueLimits
                $0.eventCapacity = eventCapacity
                $0.refusalLimit = refusalLimit
            })
    }

    var statistics: PipelineStatistics { driver.state.statistics }
    var running: [Rendition] { driver.runningJobs.filter { !$0.isPacking }.map { Rendition($0.key) } }
    var started: [Rendition] { driver.starts.map { Rendition($0.key) } }
    /// What each start is to make.
    var decodes: [[Rendition]] { driver.starts.map { $0.keys.map { Rendition($0) } } }
    var stopped: [Rendition] { driver.stops.map { Rendition($0.key) } }

    /// Which assets have a rendition in the cache; asked of a copy, which nobody misses.
    func cached(_ assets: ClosedRange<Int>) -> Set<Int> {
        Set(
            assets.filter { asset in
                var copy = self
                let id = copy.submit(asset, priority: .background)
                return copy.received(id) == [.cached(.high)]
            })
    }

    /// What a receiver of a cached rendition holds.
    func pixels(of asset: Int) -> Bitmap? { driver.state.pixels(of: Rendition(asset).key) }

    // MARK: Events

    mutating func submit(
        _ asset: Int, _ mode: DeliveryMode = .highQuality, side: Int = 100, crop: NormalizedRect? = nil,
        priority: RequestPriority = .userInitiated, urgency: Double = 0, hasPreview: Bool = false, bytes: Int = 1000,
        deadline: Duration? = nil, eighths: Int? = nil, encoding: ImageEncoding? = nil, isStoppable: Bool = true,
        milliseconds: Double = 0, remoteBytes: Int? = nil,
        allowsNetwork: Bool = true, reportsProgress: Bool = false,
        allowsSecondDegraded: Bool = false, memoryClass: RenderWork.MemoryClass? = nil,
        photograph: PixelSize? = nil, isReadByRanges: Bool = false, remotePreviewBytes: Int? = nil,
        wantsFastDegraded: Bool = false, share: BudgetShare? = nil
    ) -> ImageRequestID {
        let key = Rendition(asset, mode == .fast ? .fast : .high, side: side, crop: crop, encoding: encoding).key
        var request = PipelineRequest(
            key: key,
            deliveryMode: mode,
            priority: priority, urgency: urgency, wantsPreview: hasPreview,
            allowsSecondDegraded: allowsSecondDegraded, isNetworkAccessAllowed: allowsNetwork,
            reportsProgress: reportsProgress,
            work: RenderWork(
                asset: RenderWork.nothing(for: key.subject.asset).asset, predictedByteCount: bytes,
                outputByteCount: bytes / 2, predictedMilliseconds: milliseconds,
                decodeEighths: eighths,
                geometry: photograph.flatMap { try? RenditionGeometry(displaySize: $0, options: key.options) },
                isStoppable: isStoppable, remoteByteCount: remoteBytes, memoryClass: memoryClass,
                isReadByRanges: isReadByRanges, remotePreviewByteCount: remotePreviewBytes),
            deadline: deadline,
            receiver: .none)
        request.wantsFastDegraded = wantsFastDegraded
        request.budgetShare = share
        return driver.apply { $0.submit(request, at: $1) }
    }

    mutating func cancel(_ id: ImageRequestID) {
        driver.apply { $0.cancel(id, at: $1) }
    }

    mutating func setPriority(_ priority: RequestPriority, urgency: Double = 0, of id: ImageRequestID) {
        driver.apply { $0.setPriority(priority, urgency: urgency, of: id, at: $1) }
    }

    mutating func addWindow() -> Int { driver.apply { state, _ in state.addWindow() } }

    mutating func startCaching(
        _ renditions: [Rendition], in window: Int, bytes: Int = 1000, eighths: Int? = nil, remoteBytes: Int? = nil
    ) {
        let entries = renditions.enumerated().map { index, rendition in
            let work = RenderWork(
                asset: RenderWork.nothing(for: rendition.key.subject.asset).asset, predictedByteCount: bytes,
                outputByteCount: bytes / 2, decodeEighths: eighths, remoteByteCount: remoteBytes)
            return WindowWish(rendition.key, work: work, urgency: Double(index))
        }
        driver.apply { $0.startCaching(entries, in: window, at: $1) }
    }

    mutating func stopCaching(_ renditions: [Rendition], in window: Int) {
        driver.apply { $0.stopCaching(renditions.map(\.key), in: window, at: $1) }
    }

    // MARK: Jobs

    /// Ends the job for a rendition; by default with its image.
    ///
    /// - Parameter peak: what was measured of the render's memory.
    mutating func finish(
        _ rendition: Rendition, with outcome: RenderOutcome? = nil, bytes: Int = 1000, peak: Int? = nil
    ) {
        guard let job = driver.runningJobs.first(where: { Rendition($0.key) == rendition }) else {
            preconditionFailure("\(rendition) does not run, but \(running)")
        }
        let images = job.keys.map { key in
            Result<_, ImageRequestError>.success(Self.image(for: Rendition(key), bytes: bytes))
        }
        driver.finish(worker: job.worker, with: outcome ?? .ended(images), peakByteCount: peak)
    }

    /// Ends what runs, the longest-running first, until nothing does.
    mutating func finishAll(bytes: Int = 1000) {
        while let rendition = driver.starts.first(where: { start in
            !start.isPacking && driver.runningJobs.contains { $0.job == start.job && $0.token === start.token }
        }).map({ Rendition($0.key) }) {
            finish(rendition, bytes: bytes)
        }
    }

    // MARK: The network

    /// The assets whose bytes are coming, in the order in which the fetches began.
    var fetching: [Int] { driver.fetching.map { Int($0.subject.asset.low) } }

    /// What is coming of an asset, in the order in which the fetches began.
    func extents(of asset: Int) -> [FetchExtent] {
        driver.fetching.filter { $0.subject.asset.low == UInt64(asset) }.map(\.extent)
    }

    mutating func finishFetch(
        _ asset: Int, _ extent: FetchExtent? = nil, with outcome: FetchOutcome? = nil, bytes: Int = 500
    ) {
        let assignment = fetchAssignment(of: asset, extent)
        let bytes = FetchedBytes(source: MemoryByteSource([]), byteCount: bytes)
        driver.finishFetch(assignment, with: outcome ?? .bytes(bytes))
    }

    mutating func progressFetch(_ asset: Int, _ extent: FetchExtent? = nil, to fraction: Double) {
        let assignment = fetchAssignment(of: asset, extent)
        driver.apply { state, _ in state.progressFetch(assignment.id, to: fraction) }
    }

    private func fetchAssignment(of asset: Int, _ extent: FetchExtent?) -> FetchAssignment {
        let assignment = driver.fetching.first {
            $0.subject.asset.low == UInt64(asset) && (extent == nil || $0.extent == extent)
        }
        guard let assignment else {
            preconditionFailure("\(asset) is not fetched, but \(fetching)")
        }
        return assignment
    }

    static func image(for rendition: Rendition, bytes: Int = 1000, isPartial: Bool = false) -> PipelineImage {
        let side = rendition.kind == .preview ? previewSide : rendition.side
        // The kind travels in the scale.
        return PipelineImage(
            .onePixel(),
            ImageFacts(
                pixelSize: PixelSize(width: side, height: side), byteCount: bytes,
                source: rendition.kind == .preview ? .embedded : .reduced, eighths: rendition.kind.rawValue,
                decoder: .vips, isPartial: isPartial))
    }

    static let truncated = RenderOutcome.failed(.rendering(.truncated(decodedFraction: 0.5)))

    // MARK: Results

    /// What a request has received since it was last asked, in order.
    mutating func received(_ id: ImageRequestID) -> [Received] {
        var received: [Received] = []
        while driver.drains.contains(id) {
            received += driver.drain(id).map(Self.received)
        }
        return received
    }

    private static func received(_ result: PipelineResult) -> Received {
        switch result {
        case .progress(let fraction): return .progress(fraction)
        case .degraded(let shared, _): return .degraded(side: shared.facts.pixelSize.width)
        case .final(let shared, let info):
            let kind = RenditionKey.Kind(rawValue: shared.facts.eighths!)!
            return info.isPartial ? .partial(kind) : info.source == .cache ? .cached(kind) : .final(kind)
        case .failed(let error, _): return .failed(error.name)
        case .cancelled: return .cancelled
        }
    }
}
