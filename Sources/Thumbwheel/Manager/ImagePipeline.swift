import Dispatch
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelRendering

/// Owns the pipeline value, applies events to it under a lock, and carries out its actions after unlocking.
package final class ImagePipeline: Sendable {
    private let state: Mutex<PipelineState>
    private let renderer: any RenditionRenderer
    private let fetcher: any ResourceFetcher
    fileprivate let workers: [RenderWorker]
    fileprivate let timer = WakeTimer()
    fileprivate let allocator = AllocatorStatistics()
    /// Left when the closed pipeline has nothing to do any more.
    fileprivate let life = DispatchGroup()
    /// Hands the end of a pipeline on to a thread that may wait. It is a serial queue, because those keep running while
    /// hosts' closures block all of Dispatch's shared threads.
    private static let endings = DispatchQueue(label: "thumbwheel.endings")

    package init(
        configuration: PipelineState.Configuration, renderer: any RenditionRenderer, fetcher: any ResourceFetcher
    ) {
        state = Mutex(PipelineState(configuration: configuration))
        self.renderer = renderer
        self.fetcher = fetcher
        life.enter()
        workers = (0..<configuration.workerCount).map { _ in RenderWorker() }
        for (number, worker) in workers.enumerated() {
            worker.start(named: "thumbwheel-\(number)") { [self] in run($0) }
        }
        // The clock's thread calls and releases nothing of a host's: a provider may do anything when its fetch is stopped.
        timer.start { [weak self] in BlockingThreads.deadlines.run { [weak self] in self?.timePassed() } }
    }

    /// Applies one event, and has what follows from it done before returning.
    ///
    /// - Parameter isImmediate: whether results that are ready for requests that the event makes are delivered on this
    ///   thread. Results of other requests, which the event may end, go to those requests' own executors.
    @discardableResult
    package func apply<Result: Sendable>(
        isImmediate: Bool = false, _ event: (inout PipelineState, MonotonicTime) -> Result
    ) -> Result {
        let ((result, last), actions) = change { state, now in
            let last = state.lastRequest
            return (event(&state, now), last)
        }
        carryOut(actions, immediatelyAfter: isImmediate ? last : nil)
        return result
    }

    /// Cancels every request that is live now, in pieces: cancelling many at once would hold up all others.
    package func cancelAll() {
        let last = read { $0.lastRequest }
        var place: Int?
        repeat {
            place = apply { [place] in
                $0.cancelAll(through: last, from: place, atMost: PipelineState.pieceCount, at: $1)
            }
        } while place != nil
    }

    /// Takes nothing more, and gives up all windows, in pieces as well.
    private func closeToNewRequests() {
        while !apply({ $0.closeToNewRequests(atMost: PipelineState.pieceCount, at: $1) }) {}
    }

    /// The answer of the cache to a request that need not be submitted then; see `PipelineState.answer`.
    package func answer(_ key: RenditionKey, priority: RequestPriority) -> CachedAnswer? {
        state.withLock { $0.answer(key, priority: priority, at: .now) }
    }

    /// Looks at the state without changing it.
    package func read<Result: Sendable>(_ body: (PipelineState) -> Result) -> Result {
        state.withLock { body($0) }
    }

    /// Ends everything; the threads end when their jobs have stopped.
    package func shutDown() {
        closeToNewRequests()
        cancelAll()
        // No request is left that could wait for it.
        timer.stop()
    }

    /// Ends everything and waits until the threads are idle.
    /// - Returns: the records of all renders, to account for wasted work.
    package func shutDownAndWait() -> [RenderRecord] {
        shutDown()
        for worker in workers { worker.waitForExit() }
        return state.withLock { $0.takeRenderRecords() }
    }

    /// Waits until no render runs, no thread is left, and free memory is back with the system. Live requests are cancelled, or, where `isGraceful`, end first as
    /// they would have.
    package func shutDown(isGraceful: Bool) async {
        closeToNewRequests()
        if !isGraceful { cancelAll() }
        await withCheckedContinuation { continuation in
            // Not on a worker's thread, which could not wait for itself.
            life.notify(queue: Self.endings) { [workers, timer, allocator] in
                BlockingThreads.reads.run {
                    timer.stop()
                    for worker in workers { worker.waitForExit() }
                    allocator.returnFreePages()
                    continuation.resume()
                }
            }
        }
    }

    /// Gives each handler with an inline executor a thread of its own: one that blocks must not hold up the next request's
    /// deadline, which may have come at the same time.
    private func timePassed() {
        let (_, actions) = change { $0.timePassed(at: $1) }
        carryOut(actions, runsInline: false)
    }

    private func change<Result: Sendable>(
        _ event: (inout PipelineState, MonotonicTime) -> Result
    ) -> (Result, [PipelineAction]) {
        state.withLock { state in
            // The clock is read inside the lock: times go up with the order of events.
            let result = event(&state, .now)
            return (result, state.takeActions())
        }
    }

    /// - Parameters:
    ///   - last: results of requests after this one are delivered on this thread; nil if none are.
    ///   - worker: the worker on whose thread this runs, if any.
    ///   - runsInline: whether handlers with an inline executor may run on this thread.
    /// - Returns: the assignment for that worker; nil if there is none.
    @discardableResult
    private func carryOut(
        _ actions: [PipelineAction], immediatelyAfter last: ImageRequestID? = nil, on worker: Int? = nil,
        runsInline: Bool = true
    ) -> RenderAssignment? {
        var interpreter = LiveInterpreter(self, immediatelyAfter: last, on: worker, runsInline: runsInline)
        // By index: an action that is only looked at is not copied.
        for index in actions.indices where !actions[index].isDelivery { interpreter.carryOut(actions[index]) }
        // Handlers last: one that runs on this thread may take its time, or wait for work that was started above.
        for index in actions.indices where actions[index].isDelivery { interpreter.carryOut(actions[index]) }
        return interpreter.own
    }

    private func run(_ assignment: RenderAssignment) -> RenderAssignment? {
        let (made, peakByteCount) = allocator.measurePeak {
            renderer.render(assignment, with: IdleWorkers(workers: workers))
        }
        // Given away: a copy that lived on here would hold the pixels during the event.
        var outcome: RenderOutcome? = consume made
        let (_, actions) = change { state, now in
            guard let made = outcome.take() else { return }
            state.finish(assignment.job, with: consume made, peakByteCount: peakByteCount, at: now)
        }
        return carryOut(actions, on: assignment.worker)
    }

    fileprivate func fetch(_ assignment: FetchAssignment) {
        fetcher.fetch(assignment) { [self] fraction in
            apply { state, _ in state.progressFetch(assignment.id, to: fraction) }
        } completion: { [self] outcome in
            apply { $0.finishFetch(assignment.id, with: outcome, at: $1) }
        }
    }

    fileprivate func drain(_ id: ImageRequestID, to receiver: ResultReceiver) {
        var isOver = false
        while !isOver {
            let results = state.withLock { $0.takeResults(of: id) }
            guard !results.isEmpty else { return }
            for result in results {
                if case .progress(let fraction) = result {
                    if receiver.receive(progress: fraction) { apply { $0.cancel(id, at: $1) } }
                    continue
                }
                receiver.receive(result)
                isOver = result.isTerminal
            }
        }
    }
}

/// Carries out one event's actions, on threads.
private struct LiveInterpreter: PipelineInterpreter {
    private let pipeline: ImagePipeline
    private let last: ImageRequestID?
    private let worker: Int?
    private let runsInline: Bool
    /// The assignment for the worker on whose thread this runs.
    private(set) var own: RenderAssignment?

    init(_ pipeline: ImagePipeline, immediatelyAfter last: ImageRequestID?, on worker: Int?, runsInline: Bool) {
        self.pipeline = pipeline
        self.last = last
        self.worker = worker
        self.runsInline = runsInline
    }

    mutating func start(_ assignment: RenderAssignment) {
        if assignment.worker == worker {
            own = assignment
        } else {
            pipeline.workers[assignment.worker].hand(assignment)
        }
    }

    func stop(_ token: CancellationToken) { token.cancel() }
    func fetch(_ assignment: FetchAssignment) { pipeline.fetch(assignment) }
    func stopFetch(_ token: CancellationToken) { token.cancel() }

    func drain(_ id: ImageRequestID, to receiver: ResultReceiver) {
        if isImmediate(id) {
            pipeline.drain(id, to: receiver)
        } else {
            executor(of: receiver).run { [pipeline] in pipeline.drain(id, to: receiver) }
        }
    }

    func deliver(_ deliveries: [PipelineDelivery]) {
        for delivery in deliveries {
            if isImmediate(delivery.id) {
                delivery.receiver.receive(delivery.result)
            } else {
                executor(of: delivery.receiver).run { delivery.receiver.receive(delivery.result) }
            }
        }
    }

    func wake(at time: MonotonicTime) { pipeline.timer.wake(at: time) }

    /// Goes with the array of actions, which no lock guards.
    func release(_ remnant: PipelineAction.Remnant) {}

    /// On another thread: the allocator walks through its heap.
    func returnFreePages() {
        BlockingThreads.reads.run { [allocator = pipeline.allocator] in allocator.returnFreePages() }
    }

    /// Workers must not end before this action: another thread may have decided on a start that has not reached its
    /// worker yet.
    func dismissWorkers() { for worker in pipeline.workers { worker.exit() } }

    func becomeIdle() { pipeline.life.leave() }

    /// Whether the results of a request are delivered on this thread.
    private func isImmediate(_ id: ImageRequestID) -> Bool { last.map { $0 < id } ?? false }

    private func executor(of receiver: ResultReceiver) -> DeliveryExecutor {
        receiver.executor.isInline && !runsInline ? .concurrent : receiver.executor
    }
}
