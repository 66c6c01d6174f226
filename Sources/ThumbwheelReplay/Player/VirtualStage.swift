import Thumbwheel
import ThumbwheelGrid

/// Runs the library's own pipeline value under a clock that jumps from event to event. Workers are numbers, renders take the
/// times that a cost model states, and no pixel is made.
struct VirtualStage {
    /// The working memory of a render in bytes, charged to the budget as in a real run.
    private static let workingByteCount = 1 << 20
    /// The time in milliseconds to pack a bitmap or to unpack it, as `thumbwheel bench cache` measures it.
    private static let packingMilliseconds = 0.5
    private static let previewSize = PixelSize(width: 160, height: 120)
    private static let firstContentVersion: UInt32 = 1
    /// The length in bytes of a file that comes over the network.
    private static let fileByteCount = 2 << 20

    /// Returns the bytes that a render of a final image is charged to the budget.
    static func renderByteCount(for settings: ReplaySettings) -> Int {
        settings.targetSize.pixelCount * 3 + workingByteCount
    }

    private let settings: ReplaySettings
    private let costs: CostModel
    private(set) var pipeline: PipelineState
    private(set) var viewers: [VirtualViewer] = []
    private let seen: SeenAssets
    /// The index of the viewer that each live request belongs to.
    private var owners: [ImageRequestID: Int] = [:]
    private var machine = VirtualMachine()
    private(set) var now = MonotonicTime.zero
    /// The time at which the pipeline wants to be told the time; nil if it has not asked.
    private var wake: MonotonicTime?

    init(settings: ReplaySettings, strategy: ReplayStrategy, costs: CostModel) {
        self.settings = settings
        self.costs = costs
        seen = SeenAssets(settings.placeholders)
        pipeline = PipelineState(
            configuration: PipelineState.Configuration(workerCount: settings.workerCount, budget: settings.budget) {
                $0.fetchLimit = settings.fetchLimit
                $0.servesNewestFirst = strategy.servesNewestFirst
                $0.weighsCost = strategy.weighsCost
                $0.colderTiers = settings.packsRenditions ? MemoryTier.colder : []
                $0.recordsRenders = true
                $0.eventCapacity = settings.eventCapacity
            })
    }

    mutating func addViewer(planner: any GridPlanner, contents: LaidOutContents, catalog: AssetCatalog) {
        viewers.append(
            VirtualViewer(planner: planner, contents: contents, catalog: catalog, window: pipeline.addWindow()) {
                [seen, showsPlaceholders = settings.showsPlaceholders] in showsPlaceholders && seen.hasHash($0)
            })
    }

    /// Advances the clock to `time`: running jobs end in order, and waiting jobs start.
    mutating func advance(to time: MonotonicTime) {
        while true {
            let end = machine.nextEnd
            if let wake, wake <= time, end.map({ wake < $0 }) ?? true {
                self.wake = nil
                now = wake
                pipeline.timePassed(at: now)
            } else if let end, end <= time {
                now = end
                finishNext()
            } else {
                break
            }
            carryOutActions()
        }
        now = time
    }

    /// Shows a viewer its next frame at the present time, and performs the actions of the viewer's planner as one event.
    mutating func show(_ frame: ScrollTrace.Frame, to viewer: Int) {
        let before = viewers[viewer].contents
        let share = ManagerShare(
            workerCount: settings.workerCount, fetchLimit: settings.fetchLimit, viewerCount: viewers.count)
        let change = viewers[viewer].show(frame, at: now, sharing: share)
        guard change.renumbered != nil || !change.actions.isEmpty else { return }
        pipeline.beginBatch()
        for action in change.dropped { perform(action, of: before, for: viewer) }
        if let windows = change.windows {
            let after = viewers[viewer].contents
            let stopped = windows.stopped(before: { before.subject(of: $0) }, after: { after.subject(of: $0) })
            if !stopped.isEmpty { perform(.stopCaching(stopped), of: before, for: viewer) }
        }
        if let moves = change.renumbered { viewers[viewer].renumber(moves) }
        for action in change.actions { perform(action, of: viewers[viewer].contents, for: viewer) }
        pipeline.endBatch(at: now)
        carryOutActions()
    }

    private mutating func perform(_ action: GridAction, of contents: LaidOutContents, for viewer: Int) {
        guard let command = command(for: action, of: contents, for: viewer) else { return }
        guard let id = pipeline.perform(command, in: viewers[viewer].window, at: now) else { return }
        owners[id] = viewer
        if case .request(let item, _) = action { viewers[viewer].note(id, forItem: item) }
    }

    /// Translates a grid's action for the pipeline; nil if the action concerns a request that has ended.
    private mutating func command(
        for action: GridAction, of contents: LaidOutContents, for viewer: Int
    ) -> PipelineCommand? {
        switch action {
        case .request(let item, let urgency): .request(request(for: contents.subject(of: item), urgency: urgency))
        case .setUrgency(let item, let urgency):
            viewers[viewer].requests[item].map { .setPriority($0, .userInitiated, urgency: urgency) }
        case .cancel(let item): viewers[viewer].takeRequest(ofItem: item).map { .cancel($0) }
        case .startCaching(let items, let urgency):
            .startCaching(
                items.enumerated().map { index, item in
                    let subject = contents.subject(of: item)
                    return WindowWish(key(of: subject), work: work(of: subject), urgency: urgency + Double(index))
                })
        case .stopCaching(let items): .stopCaching(items.map { key(of: contents.subject(of: $0)) })
        case .setAllowsHighQuality(let allows): .setAllowsHighQuality(allows)
        }
    }

    mutating func takeEvents() -> PipelineEvents { pipeline.takeEvents() }

    /// Closes the pipeline at the present time, and returns the records of all renders.
    mutating func close() -> [RenderRecord] {
        pipeline.close(at: now)
        carryOutActions()
        while let end = machine.nextEnd { advance(to: end) }
        return pipeline.takeRenderRecords()
    }

    // MARK: The machine

    private mutating func finishNext() {
        guard let running = machine.takeNext() else { return }
        switch running.job {
        case .render(let assignment):
            if let tier = assignment.packingTier {
                let outcome =
                    running.isStopped
                    ? .stopped : RenderOutcome.image(Self.packed(assignment.input!.shared.facts, for: tier))
                return pipeline.finish(assignment.job, with: consume outcome, at: now)
            }
            let images = assignment.keys.map { Result<PipelineImage, ImageRequestError>.success(image(of: $0)) }
            if !running.isStopped { seen.note(asset(of: assignment.key.subject)) }
            pipeline.finish(assignment.job, with: running.isStopped ? .stopped : .ended(consume images), at: now)
        case .fetch(let assignment):
            let bytes = FetchedBytes(source: MemoryByteSource([]), byteCount: Self.fileByteCount)
            pipeline.finishFetch(assignment.id, with: running.isStopped ? .stopped : .bytes(bytes), at: now)
        }
    }

    private mutating func carryOutActions() {
        for action in pipeline.takeActions() { carryOut(action) }
    }

    private mutating func receive(_ results: [PipelineResult], of id: ImageRequestID) {
        guard let viewer = owners[id] else { return }
        viewers[viewer].receive(results, of: id, at: now)
        if results.contains(where: \.isTerminal) { owners[id] = nil }
    }

    private static func packed(_ facts: ImageFacts, for tier: MemoryTier) -> PipelineImage {
        var facts = facts
        facts.tier = tier
        facts.byteCount = facts.byteCount * 64 / 100
        return PipelineImage(.blankPacked, facts)
    }

    private func image(of key: RenditionKey) -> PipelineImage {
        let isPreview = key.kind == .preview
        let size = isPreview ? Self.previewSize : key.options.targetSize
        return PipelineImage(
            .onePixel(),
            ImageFacts(
                pixelSize: size, byteCount: size.pixelCount * 3, source: isPreview ? .embedded : .reduced,
                eighths: isPreview ? 8 : 2))
    }

    // MARK: Assets

    private func request(for subject: CellSubject, urgency: Double) -> PipelineRequest {
        let costs = costs.costs(ofAsset: subject.asset.number)
        return PipelineRequest(
            key: key(of: subject), deliveryMode: settings.deliveryMode, priority: .userInitiated, urgency: urgency,
            wantsPreview: settings.usesEmbeddedPreviews
                && settings.deliveryMode.wantsPreview(taking: costs.preview, beside: costs.high),
            isNetworkAccessAllowed: true, work: work(of: subject), receiver: .none)
    }

    private func work(of subject: CellSubject) -> RenderWork {
        RenderWork(
            asset: RenderWork.nothing(for: key(of: subject).subject.asset).asset,
            predictedByteCount: Self.renderByteCount(for: settings),
            predictedMilliseconds: cost(of: key(of: subject)),
            remoteByteCount: settings.providerLatency == nil ? nil : Self.fileByteCount)
    }

    private func key(of subject: CellSubject) -> RenditionKey {
        let asset = subject.asset
        return RenditionKey(
            subject: RenditionKey.Subject(
                asset: AssetIdentifier(high: 0, low: UInt64(asset.number)),
                contentVersion: Self.firstContentVersion + asset.version),
            kind: settings.deliveryMode.finalKind,
            options: RenderOptions(targetSize: subject.size ?? settings.targetSize))
    }

    /// Returns the asset that the subject of a key names, in its state.
    private func asset(of subject: RenditionKey.Subject) -> AssetState {
        AssetState(
            number: AssetCatalog.number(ofSimulated: subject.asset),
            version: subject.contentVersion - Self.firstContentVersion)
    }

    private func cost(of key: RenditionKey) -> Double {
        let costs = costs.costs(ofAsset: AssetCatalog.number(ofSimulated: key.subject.asset))
        return switch key.kind {
        case .preview: costs.preview ?? costs.fast
        case .fast: costs.fast
        case .high, .original: costs.high
        }
    }
}

extension VirtualStage: PipelineInterpreter {
    mutating func start(_ assignment: RenderAssignment) {
        let isShort = assignment.isPacking || assignment.input?.isPacked ?? false
        let milliseconds = isShort ? Self.packingMilliseconds : assignment.keys.map { cost(of: $0) }.max() ?? 0
        machine.start(.render(assignment), until: now.advanced(byMilliseconds: milliseconds))
    }

    mutating func stop(_ token: CancellationToken) { machine.stop(token, at: now) }

    mutating func fetch(_ assignment: FetchAssignment) {
        let number = AssetCatalog.number(ofSimulated: assignment.subject.asset)
        let latency = settings.providerLatency?.milliseconds(ofAsset: number) ?? 0
        machine.start(.fetch(assignment), until: now.advanced(byMilliseconds: latency))
    }

    mutating func stopFetch(_ token: CancellationToken) { machine.stop(token, at: now) }

    mutating func drain(_ id: ImageRequestID, to receiver: ResultReceiver) {
        while true {
            let results = pipeline.takeResults(of: id)
            if results.isEmpty { return }
            receive(results, of: id)
        }
    }

    mutating func deliver(_ deliveries: [PipelineDelivery]) {
        for delivery in deliveries { receive([delivery.result], of: delivery.id) }
    }

    mutating func lookUp(_ assignment: LookUpAssignment) {}
    mutating func keep(_ assignment: KeepAssignment) {}
    mutating func claim(_ assignment: ClaimAssignment) {}
    mutating func stopClaim(_ token: CancellationToken) {}
    mutating func endClaim(_ id: ClaimID) {}
    mutating func wake(at time: MonotonicTime) { wake = time }
    mutating func release(_ value: PipelineAction.ReleasedValue) {}
    mutating func returnFreePages() {}
    mutating func dismissWorkers() {}
    mutating func becomeIdle() {}
}
