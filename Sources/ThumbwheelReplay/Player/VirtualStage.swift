import Thumbwheel
import ThumbwheelGrid

/// Runs the library's own pipeline value under a clock that jumps from event to event. Workers are numbers, renders take the
/// times that a cost model states, and no pixel is made. Several servers, each with a pipeline of its own, may share a store.
struct VirtualStage {
    /// The working memory of a render in bytes, charged to the budget as in a real run.
    private static let workingByteCount = 1 << 20
    /// The time in milliseconds to pack a bitmap or to unpack it, as `thumbwheel bench cache` measures it.
    private static let packingMilliseconds = 0.5
    /// The bytes of packed pixels, in percent of those of the pixels, as `thumbwheel bench cache` measures them.
    private static let packedPercent = 64
    /// How many times the bytes of a thumbnail's file its pixels take.
    private static let fileRatio = 16
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
    private let configuration: PipelineState.Configuration
    private var servers: [VirtualServer]
    /// The store that the servers share; nil if there is none.
    private var shared: SimulatedSharedStore?
    private(set) var viewers: [VirtualViewer] = []
    private let seen: SeenAssets
    private var machine = VirtualMachine()
    private(set) var now = MonotonicTime.zero
    /// The number of processes that have been begun anew.
    private var processCount = 0
    /// The index of the server whose actions are being carried out.
    private var acting = 0
    private var latencies: SeededGenerator
    /// The counts and the records of processes that have ended.
    private var formerStatistics: PipelineStatistics?
    private var formerRecords: [RenderRecord] = []

    init(settings: ReplaySettings, strategy: ReplayStrategy, costs: CostModel) {
        self.settings = settings
        self.costs = costs
        seen = SeenAssets(settings.placeholders)
        let tiers = settings.tiers
        configuration = PipelineState.Configuration(workerCount: settings.workerCount, budget: settings.budget) {
            $0.fetchLimit = settings.fetchLimit
            $0.servesNewestFirst = strategy.servesNewestFirst
            $0.weighsCost = strategy.weighsCost
            $0.packedTiers = settings.packsRenditions ? MemoryTier.packedTiers : []
            $0.storageTiers = tiers.simulated
            $0.recordsRenders = true
            $0.eventCapacity = settings.eventCapacity
        }
        latencies = SeededGenerator(seed: tiers.storeLatency.seed &* 0xA24B_AED4_963E_E407)
        shared = tiers.serverCount.map { _ in SimulatedSharedStore(byteLimit: tiers.sharedByteLimit) }
        servers = (0..<max(1, tiers.serverCount ?? 1)).map { [configuration] number in
            VirtualServer(
                PipelineState(configuration: configuration),
                disk: tiers.storeFolder.map { _ in VirtualDisk(byteLimit: tiers.storeByteLimit) }, process: number)
        }
        fillStores()
    }

    /// Puts the images of the first assets into the stores, as if they had been seen before.
    private mutating func fillStores() {
        let seenCount = settings.tiers.isEmpty ? 0 : settings.tiers.seenCount
        for number in 0..<seenCount {
            let subject = CellSubject(asset: AssetState(number: number), size: nil)
            let key = key(of: subject)
            let byteCount = storedByteCount(of: key)
            for server in servers.indices { servers[server].disk?.fill(key, byteCount: byteCount) }
            shared?.fill(key, byteCount: byteCount)
        }
    }

    /// Viewers are spread over the servers in turn.
    mutating func addViewer(planner: any GridPlanner, contents: LaidOutContents, catalog: AssetCatalog) {
        let server = viewers.count % servers.count
        viewers.append(
            VirtualViewer(
                planner: planner, contents: contents, catalog: catalog, server: server,
                window: servers[server].pipeline.addWindow()
            ) {
                [seen, showsPlaceholders = settings.showsPlaceholders] in showsPlaceholders && seen.hasHash($0)
            })
    }

    /// Ends all processes at the present time, and begins them anew. What was in memory or on its way is lost; what the
    /// stores have, they keep. The grids are blank until they get images again.
    ///
    /// - Parameter planner: makes a planner in its initial state, for the viewer with an index.
    mutating func restart(planner: (Int) -> any GridPlanner) {
        formerStatistics = statistics.ended
        machine.removeAll()
        shared?.forgetWaiters()
        seen.forget()
        for server in servers.indices {
            formerRecords += servers[server].takeRenderRecords()
            processCount += 1
            servers[server] = VirtualServer(
                PipelineState(configuration: configuration), disk: servers[server].disk,
                process: servers.count - 1 + processCount)
        }
        for viewer in viewers.indices {
            let window = servers[viewers[viewer].server].pipeline.addWindow()
            viewers[viewer].restart(planner: planner(viewer), window: window)
        }
    }

    // MARK: Figures

    /// The counts of all processes together.
    var statistics: PipelineStatistics {
        var statistics = servers[0].pipeline.statistics
        for server in servers.dropFirst() { statistics += server.pipeline.statistics }
        if let formerStatistics { statistics += formerStatistics }
        return statistics
    }

    var cachedByteCount: Int { servers.indices.reduce(0) { $0 + servers[$1].pipeline.cachedByteCount } }

    /// The counts of the storage tiers; nil if there are none.
    var tierCounts: ReplayTierCounts? {
        guard !settings.tiers.simulated.isEmpty else { return nil }
        var counts = ReplayTierCounts()
        for server in servers {
            guard let disk = server.disk else { continue }
            counts.store = counts.store ?? ReplayTierCounts.Tier()
            counts.store? += disk.presentCounts
        }
        counts.shared = shared?.presentCounts
        let tiers = statistics.tiers
        (counts.claims, counts.awaited) = (tiers.claims, tiers.awaited)
        return counts
    }

    // MARK: Time

    /// Advances the clock to `time`: running jobs end in order, and waiting jobs start.
    mutating func advance(to time: MonotonicTime) {
        while true {
            let end = machine.nextEnd
            if let (wake, server) = nextWake, wake <= time, end.map({ wake < $0 }) ?? true {
                servers[server].wake = nil
                now = wake
                servers[server].pipeline.timePassed(at: now)
                carryOutActions(of: server)
            } else if let end, end <= time {
                now = end
                finishNext()
            } else {
                break
            }
        }
        now = time
    }

    /// The earliest time of which a pipeline wants to be told, and the index of its server.
    private var nextWake: (time: MonotonicTime, server: Int)? {
        var next: (time: MonotonicTime, server: Int)?
        for index in servers.indices {
            guard let wake = servers[index].wake, next.map({ wake < $0.time }) ?? true else { continue }
            next = (wake, index)
        }
        return next
    }

    /// Shows a viewer its next frame at the present time, and performs the actions of the viewer's planner as one event.
    mutating func show(_ frame: ScrollTrace.Frame, to viewer: Int) {
        let before = viewers[viewer].contents
        let share = ManagerShare(
            workerCount: settings.workerCount, fetchLimit: settings.fetchLimit,
            viewerCount: (viewers.count + servers.count - 1) / servers.count)
        let server = viewers[viewer].server
        let change = viewers[viewer].show(frame, at: now, sharing: share)
        guard change.renumbered != nil || !change.actions.isEmpty else { return }
        servers[server].pipeline.beginBatch()
        for action in change.dropped { perform(action, of: before, for: viewer) }
        if let windows = change.windows {
            let after = viewers[viewer].contents
            let stopped = windows.stopped(before: { before.subject(of: $0) }, after: { after.subject(of: $0) })
            if !stopped.isEmpty { perform(.stopCaching(stopped), of: before, for: viewer) }
        }
        if let moves = change.renumbered { viewers[viewer].renumber(moves) }
        for action in change.actions { perform(action, of: viewers[viewer].contents, for: viewer) }
        servers[server].pipeline.endBatch(at: now)
        carryOutActions(of: server)
    }

    private mutating func perform(_ action: GridAction, of contents: LaidOutContents, for viewer: Int) {
        guard let command = command(for: action, of: contents, for: viewer) else { return }
        let server = viewers[viewer].server
        guard let id = servers[server].pipeline.perform(command, in: viewers[viewer].window, at: now) else { return }
        servers[server].owners[id] = viewer
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

    /// Takes the events of the first server since the last call.
    mutating func takeEvents() -> PipelineEvents { servers[0].pipeline.takeEvents() }

    /// Closes the pipelines at the present time, and returns the records of all renders.
    mutating func close() -> [RenderRecord] {
        for server in servers.indices {
            servers[server].pipeline.close(at: now)
            carryOutActions(of: server)
        }
        while let end = machine.nextEnd { advance(to: end) }
        for server in servers.indices { formerRecords += servers[server].takeRenderRecords() }
        defer { formerRecords = [] }
        return formerRecords
    }

    // MARK: The machine

    private mutating func finishNext() {
        guard let running = machine.takeNext() else { return }
        let server = running.server
        switch running.job {
        case .render(let assignment): finish(assignment, of: server, isStopped: running.isStopped)
        case .fetch(let assignment):
            let bytes = FetchedBytes(source: MemoryByteSource([]), byteCount: Self.fileByteCount)
            servers[server].pipeline.finishFetch(
                assignment.id, with: running.isStopped ? .stopped : .bytes(bytes), at: now)
        case .lookUp(let assignment):
            let isFound = lookUp(assignment.key, in: assignment.tier, of: server)
            if isFound { seen.note(asset(of: assignment.key.subject)) }
            servers[server].pipeline.finishLookUp(
                assignment.id, with: isFound ? .found(image(of: assignment.key)) : .missing, at: now)
        case .write(let assignment, let tier): finishWriting(assignment, to: tier, of: server)
        case .claim(let assignment):
            let waiter = SimulatedSharedStore.Waiter(server: server, assignment: assignment)
            let answer = running.isStopped ? .unavailable : shared?.claim(waiter, at: now)
            if let answer { finish(assignment, with: answer, of: server) }
        case .claimAnswer(let assignment, let answer): finish(assignment, with: answer, of: server)
        }
        carryOutActions(of: server)
    }

    private mutating func finish(_ assignment: RenderAssignment, of server: Int, isStopped: Bool) {
        if servers[server].pipeline.endAbandoned(assignment.token, at: now) { return }
        if let tier = assignment.packingTier {
            let outcome =
                isStopped ? .stopped : RenderOutcome.image(Self.packed(assignment.input!.shared.facts, for: tier))
            return servers[server].pipeline.finish(assignment.job, with: consume outcome, at: now)
        }
        let images = assignment.keys.map { Result<PipelineImage, ImageRequestError>.success(image(of: $0)) }
        if !isStopped { seen.note(asset(of: assignment.key.subject)) }
        servers[server].pipeline.finish(
            assignment.job, with: isStopped ? .stopped : .ended(consume images), at: now)
    }

    private mutating func carryOutActions(of server: Int) {
        for action in servers[server].pipeline.takeActions() {
            acting = server
            carryOut(action)
        }
    }

    private mutating func receive(_ results: [PipelineResult], of id: ImageRequestID) {
        guard let viewer = servers[acting].owners[id] else { return }
        viewers[viewer].receive(
            results, of: id, numberingRendersFrom: servers[acting].firstRenderNumber, at: now)
        if results.contains(where: \.isTerminal) { servers[acting].owners[id] = nil }
    }

    // MARK: The storage tiers

    private mutating func lookUp(_ key: RenditionKey, in tier: StorageTier, of server: Int) -> Bool {
        switch tier {
        case .disk:
            let byteCount = storedByteCount(of: key)
            return servers[server].disk?.lookUp(key, byteCount: byteCount) ?? false
        case .shared: return shared?.lookUp(key) ?? false
        }
    }

    private mutating func finishWriting(_ assignment: KeepAssignment, to tier: StorageTier, of server: Int) {
        guard case .success(let image) = assignment.result else { return }
        let byteCount = storedByteCount(of: assignment.key)
        switch tier {
        case .disk:
            let cost = UInt32(clamping: Int(image.facts.renderMilliseconds * 1_000))
            servers[server].disk?.put(assignment.key, byteCount: byteCount, cost: cost)
        case .shared:
            shared?.put(assignment.key, byteCount: byteCount)
            if let claim = assignment.claim { endClaim(claim, of: server) }
        }
    }

    private mutating func finish(
        _ assignment: ClaimAssignment, with answer: SimulatedSharedStore.Answer, of server: Int
    ) {
        let outcome: ClaimOutcome =
            switch answer {
            case .found: .found(image(of: assignment.key))
            case .won: .won
            case .unavailable: .unavailable
            }
        servers[server].pipeline.finishClaim(assignment.id, with: outcome, at: now)
    }

    private mutating func endClaim(_ id: ClaimID, of server: Int) {
        for (waiter, answer) in shared?.endClaim(id, of: server, at: now) ?? [] {
            machine.start(
                .claimAnswer(waiter.assignment, answer), of: waiter.server, until: afterRoundTrip(to: .shared))
        }
    }

    /// The time at which a tier answers if it is asked now.
    private mutating func afterRoundTrip(to tier: StorageTier) -> MonotonicTime {
        let model =
            switch tier {
            case .disk: settings.tiers.storeLatency
            case .shared: settings.tiers.sharedLatency
            }
        return now.advanced(byMilliseconds: model.milliseconds(from: &latencies))
    }

    /// The bytes that stores take for a rendition: a file, or packed pixels.
    private func storedByteCount(of key: RenditionKey) -> Int {
        let pixelByteCount = key.options.targetSize.pixelCount * 3
        return key.encoding == nil ? pixelByteCount * Self.packedPercent / 100 : pixelByteCount / Self.fileRatio
    }

    private static func packed(_ facts: ImageFacts, for tier: MemoryTier) -> PipelineImage {
        var facts = facts
        facts.memoryTier = tier
        facts.byteCount = facts.byteCount * Self.packedPercent / 100
        return PipelineImage(.blankPacked, facts)
    }

    private func image(of key: RenditionKey) -> PipelineImage {
        let isPreview = key.kind == .preview
        let size = isPreview ? Self.previewSize : key.options.targetSize
        let byteCount = key.encoding == nil ? size.pixelCount * 3 : storedByteCount(of: key)
        return PipelineImage(
            key.encoding == nil ? .onePixel() : .noBytes(size),
            ImageFacts(
                pixelSize: size, byteCount: byteCount, source: isPreview ? .embedded : .reduced,
                eighths: isPreview ? 8 : 2))
    }

    // MARK: Assets

    private func request(for subject: CellSubject, urgency: Double) -> PipelineRequest {
        let costs = costs.costs(ofAsset: subject.asset.number)
        return PipelineRequest(
            key: key(of: subject), deliveryMode: settings.deliveryMode, priority: .userInitiated, urgency: urgency,
            wantsPreview: settings.usesEmbeddedPreviews && settings.tiers.encoding == nil
                && settings.deliveryMode.wantsPreview(taking: costs.preview, beside: costs.high),
            isNetworkAccessAllowed: true, work: work(of: subject), receiver: .none)
    }

    private func work(of subject: CellSubject) -> RenderWork {
        RenderWork(
            asset: RenderWork.nothing(for: key(of: subject).subject.asset).asset,
            predictedByteCount: Self.renderByteCount(for: settings),
            outputByteCount: settings.tiers.isEmpty ? 0 : settings.targetSize.pixelCount * 3,
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
            options: RenderOptions(targetSize: subject.size ?? settings.targetSize),
            encoding: settings.tiers.encoding)
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
        machine.start(.render(assignment), of: acting, until: now.advanced(byMilliseconds: milliseconds))
    }

    mutating func stop(_ token: CancellationToken) { machine.stop(token, at: now) }

    /// Changes nothing: the virtual machine has as many threads as the pipeline starts jobs.
    mutating func replaceThread(ofWorker worker: Int) {}

    mutating func fetch(_ assignment: FetchAssignment) {
        let number = AssetCatalog.number(ofSimulated: assignment.subject.asset)
        let latency = settings.providerLatency?.milliseconds(ofAsset: number) ?? 0
        machine.start(.fetch(assignment), of: acting, until: now.advanced(byMilliseconds: latency))
    }

    mutating func stopFetch(_ token: CancellationToken) { machine.stop(token, at: now) }

    mutating func drain(_ id: ImageRequestID, to receiver: ResultReceiver) {
        while true {
            let results = servers[acting].pipeline.takeResults(of: id)
            if results.isEmpty { return }
            receive(results, of: id)
        }
    }

    mutating func deliver(_ deliveries: [PipelineDelivery]) {
        for delivery in deliveries { receive([delivery.result], of: delivery.id) }
    }

    mutating func lookUp(_ assignment: LookUpAssignment) {
        machine.start(.lookUp(assignment), of: acting, until: afterRoundTrip(to: assignment.tier))
    }

    mutating func keep(_ assignment: KeepAssignment) {
        for tier in assignment.tiers {
            machine.start(.write(assignment, tier), of: acting, until: afterRoundTrip(to: tier))
        }
        if let claim = assignment.claim, !assignment.tiers.contains(.shared) { endClaim(claim, of: acting) }
    }

    mutating func claim(_ assignment: ClaimAssignment) {
        machine.start(.claim(assignment), of: acting, until: afterRoundTrip(to: .shared))
    }

    mutating func stopClaim(_ token: CancellationToken) {
        guard !machine.stop(token, at: now), let waiter = shared?.stopWaiting(token) else { return }
        machine.start(.claimAnswer(waiter.assignment, .unavailable), of: waiter.server, until: now)
    }

    mutating func endClaim(_ id: ClaimID) { endClaim(id, of: acting) }
    mutating func wake(at time: MonotonicTime) { servers[acting].wake = time }
    mutating func release(_ value: PipelineAction.ReleasedValue) {}
    mutating func returnFreePages() {}
    mutating func dismissWorkers() {}
    mutating func becomeIdle() {}
}
