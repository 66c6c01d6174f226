import Thumbwheel

/// Makes the lines of one run in the trace, in the order of time.
struct RunEvents {
    private static let cacheTrack = 0

    private let log: ReplayRun.Events
    private let process: Int
    /// The renders, by worker, and the requests that have begun and not ended yet.
    private var openRenders: Set<Int> = []
    private var openRequests: Set<UInt64> = []
    private var lines: [String] = []

    init(_ log: ReplayRun.Events, process: Int) {
        self.log = log
        self.process = process
    }

    mutating func lines(named name: String) -> [String] {
        describe("process_name", name)
        describe("thread_name", "cache", track: Self.cacheTrack)
        for worker in 0..<log.workerCount { describe("thread_name", "worker \(worker)", track: Self.track(of: worker)) }
        for event in log.events { add(event) }
        for worker in openRenders.sorted() { endRender(on: worker, as: "unfinished", at: log.end) }
        for request in openRequests.sorted() { endRequest(request, as: "unfinished", at: log.end) }
        return lines
    }

    private mutating func add(_ event: PipelineEvent) {
        let time = event.time
        switch event.kind {
        case .requestSubmitted(let id, let asset, let priority):
            openRequests.insert(id.rawValue)
            add("b", request: id.rawValue, at: time, "\"asset\":\"\(asset)\",\"priority\":\"\(priority)\"")
        case .requestRefused(let id):
            openRequests.insert(id.rawValue)
            add("b", request: id.rawValue, at: time)
            endRequest(id.rawValue, as: PipelineEvent.RequestEnd.failed.rawValue, at: time)
        case .requestCoalesced(let id): add("n", request: id.rawValue, at: time, "\"what\":\"coalesced\"")
        case .requestDegraded(let id): add("n", request: id.rawValue, at: time, "\"what\":\"degraded\"")
        case .requestEnded(let id, let end): endRequest(id.rawValue, as: end.rawValue, at: time)
        case .renderStarted(let render): begin(render, at: time)
        case .renderToldToStop(_, let worker): addInstant("told to stop", track: Self.track(of: worker), at: time)
        case .renderEnded(_, let worker, let end): endRender(on: worker, as: end.rawValue, at: time)
        case .evicted(let byteCount):
            addInstant("evicted", track: Self.cacheTrack, at: time, "\"bytes\":\(byteCount)")
        case .gauges(let gauges): add(gauges, at: time)
        }
    }

    // MARK: Renders

    private mutating func begin(_ render: PipelineEvent.Render, at time: MonotonicTime) {
        openRenders.insert(render.worker)
        add(
            "B", track: Self.track(of: render.worker), at: time,
            "\"name\":\"\(render.kind.rawValue) \(render.targetSize)\",\"args\":{\"render\":\(render.number),"
                + "\"asset\":\"\(render.asset)\",\"priority\":\"\(render.priority)\"}")
    }

    /// Ends a worker's render in the trace. The arguments of the end are added to those of the beginning.
    private mutating func endRender(on worker: Int, as end: String, at time: MonotonicTime) {
        openRenders.remove(worker)
        add("E", track: Self.track(of: worker), at: time, "\"args\":{\"end\":\"\(end)\"}")
    }

    private static func track(of worker: Int) -> Int { worker + 1 }

    // MARK: Requests

    private mutating func endRequest(_ id: UInt64, as end: String, at time: MonotonicTime) {
        openRequests.remove(id)
        add("e", request: id, at: time, "\"end\":\"\(end)\"")
    }

    private mutating func add(
        _ phase: String, request id: UInt64, at time: MonotonicTime, _ arguments: String = ""
    ) {
        add(
            phase, track: Self.cacheTrack, at: time,
            "\"cat\":\"request\",\"name\":\"request\",\"id\":\(id),\"args\":{\(arguments)}")
    }

    // MARK: Counters and the rest

    private mutating func add(_ gauges: PipelineEvent.Gauges, at time: MonotonicTime) {
        func counter(_ name: String, _ values: String) {
            add("C", track: Self.cacheTrack, at: time, "\"name\":\"\(name)\",\"args\":{\(values)}")
        }
        counter("renders queued", "\"renders\":\(gauges.queuedRenderCount)")
        counter("requests live", "\"requests\":\(gauges.liveRequestCount)")
        counter("budget bytes", "\"cached\":\(gauges.cachedByteCount),\"rendering\":\(gauges.renderingByteCount)")
    }

    private mutating func addInstant(
        _ name: String, track: Int, at time: MonotonicTime, _ arguments: String = ""
    ) {
        add("i", track: track, at: time, "\"s\":\"t\",\"name\":\"\(name)\",\"args\":{\(arguments)}")
    }

    private mutating func describe(_ what: String, _ name: String, track: Int = cacheTrack) {
        lines.append(
            "{\"ph\":\"M\",\"pid\":\(process),\"tid\":\(track),\"name\":\"\(what)\",\"args\":{\"name\":\"\(name)\"}}")
    }

    private mutating func add(_ phase: String, track: Int, at time: MonotonicTime, _ rest: String) {
        let nanoseconds = time.nanoseconds - log.start.nanoseconds
        let fraction = String(nanoseconds % 1000 + 1000).dropFirst()
        lines.append(
            "{\"ph\":\"\(phase)\",\"pid\":\(process),\"tid\":\(track),\"ts\":\(nanoseconds / 1000).\(fraction),\(rest)}"
        )
    }
}
