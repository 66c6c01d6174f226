import Thumbwheel
import ThumbwheelGrid

/// The library's own pipeline value under a clock that jumps from event to event: workers are numbers, renders take what a
/// cost model says, and no pixel is made.
struct VirtualStage {
    /// How long a worker takes to notice that its job is to stop: a band of rows.
    private static let stopMilliseconds = 0.5
    /// Working memory of a render, charged as the real one is.
    private static let workingByteCount = 1 << 20
    private static let previewSize = PixelSize(width: 160, height: 120)

    private struct Running {
        let assignment: RenderAssignment
        var end: MonotonicTime
        var isStopped = false
    }

    private let settings: ReplaySettings
    private let costs: CostModel
    private let board: GridBoard
    private(set) var pipeline: PipelineState
    private let window: Int
    private var requests: [Int: ImageRequestID] = [:]
    private var items: [ImageRequestID: Int] = [:]
    /// By worker.
    private var running: [Running?]
    private(set) var now = MonotonicTime.zero
    /// When the pipeline wants to be told what time it is.
    private var wake: MonotonicTime?

    init(
        settings: ReplaySettings, strategy: ReplayStrategy, costs: CostModel, board: GridBoard
    ) {
        self.settings = settings
        self.costs = costs
        self.board = board
        pipeline = PipelineState(
            configuration: PipelineState.Configuration(
                workerCount: settings.workerCount, budget: settings.budget,
                servesNewestFirst: strategy.servesNewestFirst, weighsCost: strategy.weighsCost, recordsRenders: true,
                eventCapacity: settings.eventCapacity))
        window = pipeline.addWindow()
        running = Array(repeating: nil, count: settings.workerCount)
    }

    /// Lets time pass: renders finish in order, and those waiting start.
    mutating func advance(to time: MonotonicTime) {
        while true {
            let worker = earliestWorker
            if let wake, wake <= time, worker.map({ wake < running[$0]!.end }) ?? true {
                self.wake = nil
                now = wake
                pipeline.timePassed(at: now)
                carryOutActions()
                continue
            }
            guard let worker, running[worker]!.end <= time else { break }
            let job = running[worker]!
            running[worker] = nil
            now = job.end
            pipeline.finish(job.assignment.job, with: outcome(of: job), at: now)
            carryOutActions()
        }
        now = time
    }

    /// Does at this moment what a planner asks for, as one event.
    mutating func perform(_ actions: [GridAction]) {
        guard !actions.isEmpty else { return }
        pipeline.beginBatch()
        for action in actions { perform(action) }
        pipeline.endBatch(at: now)
        carryOutActions()
    }

    private mutating func perform(_ action: GridAction) {
        switch action {
        case .request(let item, let urgency):
            let costs = costs.costs(ofAsset: item)
            let hasCheapPreview = costs.preview.map { $0 <= costs.high / 4 } ?? false
            let id = pipeline.submit(
                PipelineRequest(
                    key: key(of: item), deliveryMode: settings.deliveryMode, priority: .userInitiated, urgency: urgency,
                    wantsPreview: settings.usesEmbeddedPreviews && settings.deliveryMode == .opportunistic
                        && hasCheapPreview,
                    work: work(of: item), receiver: nil),
                at: now)
            requests[item] = id
            items[id] = item
        case .setUrgency(let item, let urgency):
            guard let id = requests[item] else { return }
            pipeline.setPriority(.userInitiated, urgency: urgency, of: id, at: now)
        case .cancel(let item):
            guard let id = requests.removeValue(forKey: item) else { return }
            pipeline.cancel(id, at: now)
        case .startCaching(let items, let urgency):
            let entries = items.enumerated().map { (key(of: $1), work(of: $1), urgency + Double($0)) }
            pipeline.startCaching(entries, in: window, at: now)
        case .stopCaching(let items):
            pipeline.stopCaching(items.map { key(of: $0) }, in: window, at: now)
        case .setAllowsHighQuality(let allows):
            pipeline.setAllowsHighQuality(allows, in: window, at: now)
        }
    }

    mutating func takeEvents() -> PipelineEvents { pipeline.takeEvents() }

    /// Ends everything, at this moment.
    mutating func close() -> [RenderRecord] {
        pipeline.close(at: now)
        carryOutActions()
        while let worker = earliestWorker { advance(to: running[worker]!.end) }
        return pipeline.takeRenderRecords()
    }

    // MARK: The machine

    private var earliestWorker: Int? {
        var earliest: Int?
        for worker in running.indices {
            guard let end = running[worker]?.end else { continue }
            if earliest.map({ end < running[$0]!.end }) ?? true { earliest = worker }
        }
        return earliest
    }

    private mutating func carryOutActions() {
        for action in pipeline.takeActions() {
            switch action {
            case .start(let assignment):
                let end = now.advanced(byMilliseconds: cost(of: assignment.key))
                running[assignment.worker] = Running(assignment: assignment, end: end)
            case .stop(let token):
                for worker in running.indices where running[worker]?.assignment.token === token {
                    let stop = now.advanced(byMilliseconds: Self.stopMilliseconds)
                    guard stop < running[worker]!.end else { continue }
                    running[worker]!.end = stop
                    running[worker]!.isStopped = true
                }
            case .drain(let id, _): drain(id)
            case .wake(let time): wake = time
            // No photograph of a virtual run is elsewhere.
            case .fetch, .stopFetch, .release, .releaseBytes, .idle: break
            }
        }
    }

    private mutating func drain(_ id: ImageRequestID) {
        guard let item = items[id] else { return }
        while true {
            let results = pipeline.takeResults(of: id)
            if results.isEmpty { return }
            for result in results {
                switch result {
                case .degraded(_, let info): board.receiveImage(of: info, isFinal: false, for: item, at: now)
                case .final(_, let info): board.receiveImage(of: info, isFinal: true, for: item, at: now)
                case .progress, .failed, .cancelled: break
                }
                if result.isTerminal { items[id] = nil }
            }
        }
    }

    private func outcome(of job: Running) -> RenderOutcome {
        guard !job.isStopped else { return .stopped }
        let isPreview = job.assignment.key.kind == .preview
        let size = isPreview ? Self.previewSize : settings.targetSize
        return .image(
            PipelineImage(
                bitmap: nil, pixelSize: size, byteCount: size.pixelCount * 3, source: isPreview ? .embedded : .reduced,
                eighths: isPreview ? 8 : 2, decoder: .simulated, isPartial: false))
    }

    // MARK: Assets

    private func work(of item: Int) -> RenderWork {
        RenderWork(
            asset: nil, predictedByteCount: settings.targetSize.pixelCount * 3 + Self.workingByteCount,
            predictedMilliseconds: cost(of: key(of: item)))
    }

    private func key(of item: Int) -> RenditionKey {
        RenditionKey(
            subject: RenditionKey.Subject(
                asset: AssetIdentifier(high: 0, low: UInt64(item)), contentVersion: 1),
            kind: settings.deliveryMode == .fast ? .fast : .high,
            options: RenderOptions(targetSize: settings.targetSize))
    }

    private func cost(of key: RenditionKey) -> Double {
        let costs = costs.costs(ofAsset: GridContents.item(ofSimulated: key.subject.asset))
        return switch key.kind {
        case .preview: costs.preview ?? costs.fast
        case .fast: costs.fast
        case .high, .original: costs.high
        }
    }
}

extension RenderedImage.Decoder {
    fileprivate static let simulated = RenderedImage.Decoder(rawValue: "simulated")
}
