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
    /// A dispatch group that the pipeline leaves once it is closed and has no work left.
    fileprivate let life = DispatchGroup()
    /// The queue that passes the end of a pipeline on to a thread that may wait. It is serial, because serial queues keep
    /// running while hosts' closures block all of Dispatch's shared threads.
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
        // The alarm clock's thread must neither run nor release anything that belongs to a host: a provider may do anything
        // when its fetch is stopped. So another thread handles the time-out.
        timer.start { [weak self] in BlockingThreads.deadlines.run { [weak self] in self?.timePassed() } }
    }

    /// Applies one event to the state, and carries out the actions that follow before it returns.
    ///
    /// - Parameter isImmediate: whether this thread delivers results that are already available for requests that the event
    ///   makes. Results of other requests that the event ends go to those requests' own executors.
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

    /// Cancels every request that is live now, in pieces: cancelling many under one lock would delay all other callers.
    package func cancelAll() {
        let last = read { $0.lastRequest }
        var place: Int?
        repeat {
            place = apply { [place] in
                $0.cancelAll(through: last, from: place, atMost: PipelineState.pieceCount, at: $1)
            }
        } while place != nil
    }

    /// Refuses new requests from now on and removes all caching windows, in pieces so that the lock is never held for long.
    private func closeToNewRequests() {
        while !apply({ $0.closeToNewRequests(atMost: PipelineState.pieceCount, at: $1) }) {}
    }

    /// Returns the cache's answer to a request; a request that has an answer need not be submitted. See `PipelineState.answer`.
    package func answer(_ key: RenditionKey, priority: RequestPriority) -> CachedAnswer? {
        state.withLock { $0.answer(key, priority: priority, at: .now) }
    }

    /// Reads the state without changing it.
    package func read<Result: Sendable>(_ body: (PipelineState) -> Result) -> Result {
        state.withLock { body($0) }
    }

    /// Cancels all requests and removes all windows; the threads end when their jobs have stopped.
    package func shutDown() {
        closeToNewRequests()
        cancelAll()
        // No request is left whose deadline the timer could serve.
        timer.stop()
    }

    /// Cancels all requests, removes all windows, and waits until the worker threads have ended.
    /// - Returns: the records of all renders, to account for wasted work.
    package func shutDownAndWait() -> [RenderRecord] {
        shutDown()
        for worker in workers { worker.waitForExit() }
        return state.withLock { $0.takeRenderRecords() }
    }

    /// Closes the pipeline, and waits until no render runs, no thread is left, and free memory is back with the system. Live
    /// requests are cancelled; if `isGraceful`, they end as usual first.
    package func shutDown(isGraceful: Bool) async {
        closeToNewRequests()
        if !isGraceful { cancelAll() }
        await withCheckedContinuation { continuation in
            // The waiting happens on another thread, because a worker's thread cannot wait for its own end.
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

    /// Handles an alarm of the timer. Handlers with an inline executor get threads of their own here: a handler that blocks
    /// must not delay the deadline of another request, which may have come at the same time.
    private func timePassed() {
        let (_, actions) = change { $0.timePassed(at: $1) }
        carryOut(actions, runsInline: false)
    }

    private func change<Result: Sendable>(
        _ event: (inout PipelineState, MonotonicTime) -> Result
    ) -> (Result, [PipelineAction]) {
        state.withLock { state in
            // The clock is read inside the lock, so that successive events have increasing times.
            let result = event(&state, .now)
            return (result, state.takeActions())
        }
    }

    /// - Parameters:
    ///   - last: the last request before the event. Results of later requests are delivered on this thread; nil delivers none
    ///     here.
    ///   - worker: the worker on whose thread this runs, if any.
    ///   - runsInline: whether handlers with an inline executor may run on this thread.
    /// - Returns: the next assignment for `worker`; nil if there is none.
    @discardableResult
    private func carryOut(
        _ actions: [PipelineAction], immediatelyAfter last: ImageRequestID? = nil, on worker: Int? = nil,
        runsInline: Bool = true
    ) -> RenderAssignment? {
        var interpreter = LiveInterpreter(self, immediatelyAfter: last, on: worker, runsInline: runsInline)
        // The loops go by index, so that an action that is only inspected is not copied.
        for index in actions.indices where !actions[index].isDelivery { interpreter.carryOut(actions[index]) }
        // Handlers come last: a handler that runs on this thread may take long, or wait for work that was started above.
        for index in actions.indices where actions[index].isDelivery { interpreter.carryOut(actions[index]) }
        return interpreter.own
    }

    private func run(_ assignment: RenderAssignment) -> RenderAssignment? {
        let (made, peakByteCount) = allocator.measurePeak {
            renderer.render(assignment, with: IdleWorkers(workers: workers))
        }
        // The outcome is passed on as a consumed value. A copy kept by this function would hold the pixels until the event has ended.
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

/// Carries out the actions of one event on real threads.
private struct LiveInterpreter: PipelineInterpreter {
    private let pipeline: ImagePipeline
    private let last: ImageRequestID?
    private let worker: Int?
    private let runsInline: Bool
    /// The next assignment for the worker on whose thread this runs.
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

    /// Does nothing: the remnant is released with the array of actions, outside the lock.
    func release(_ remnant: PipelineAction.Remnant) {}

    /// Runs on another thread, because the allocator walks through its whole heap.
    func returnFreePages() {
        BlockingThreads.reads.run { [allocator = pipeline.allocator] in allocator.returnFreePages() }
    }

    /// Lets the workers end. They must not end before this action: another thread may have decided on a start that has not
    /// reached its worker yet.
    func dismissWorkers() { for worker in pipeline.workers { worker.exit() } }

    func becomeIdle() { pipeline.life.leave() }

    /// Whether the results of a request are delivered on this thread.
    private func isImmediate(_ id: ImageRequestID) -> Bool { last.map { $0 < id } ?? false }

    private func executor(of receiver: ResultReceiver) -> DeliveryExecutor {
        receiver.executor.isInline && !runsInline ? .concurrent : receiver.executor
    }
}
