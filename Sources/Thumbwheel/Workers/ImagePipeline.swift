import Dispatch
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelRendering

/// Owns the state of a pipeline: applies events to it under a lock, and carries out the resulting actions after
/// unlocking.
package final class ImagePipeline: Sendable {
    private let state: Mutex<PipelineState>
    /// Answers requests from the cache without the pipeline's lock.
    private let answers = AnswerTable()
    /// Whether requests may be answered from `answers`, without the pipeline's lock. False if events are logged,
    /// because the pipeline then has to log every request itself.
    private let usesAnswerTable: Bool
    private let renderer: any RenditionRenderer
    private let fetcher: any ResourceFetcher
    /// For each storage tier (a store of finished renditions outside memory), the object that reads and writes the
    /// store.
    private let keepers: [StorageTier: any RenditionKeeper]
    fileprivate let workers: [RenderWorker]
    fileprivate let timer = WakeTimer()
    fileprivate let allocator = AllocatorStatistics()
    /// A dispatch group that the pipeline enters when it is made. The pipeline leaves the group once it is closed and
    /// has no work left.
    fileprivate let life = DispatchGroup()
    /// The queue that runs a closure when `life` reports that a pipeline has no work left. Closures on this queue must
    /// not wait, so they start another thread for everything that waits. The queue is serial and not a global one:
    /// Dispatch starts a further thread for a serial queue even if the program that uses this library blocks all
    /// threads of the global queues.
    private static let endings = DispatchQueue(label: "thumbwheel.endings")

    package init(
        configuration: PipelineState.Configuration, renderer: any RenditionRenderer, fetcher: any ResourceFetcher,
        keepers: [StorageTier: any RenditionKeeper] = [:]
    ) {
        var configuration = configuration
        configuration.storageTiers = StorageTier.allCases.filter { keepers[$0] != nil }
        configuration.reportsRenditions = configuration.eventCapacity == 0
        usesAnswerTable = configuration.reportsRenditions
        state = Mutex(PipelineState(configuration: configuration))
        self.renderer = renderer
        self.fetcher = fetcher
        self.keepers = keepers
        life.enter()
        workers = (0..<configuration.workerCount).map { _ in RenderWorker() }
        for number in workers.indices { startThread(ofWorker: number) }
        // Starts the timer. It fires on the alarm clock's thread, which all pipelines share, and each alarm is handled
        // on another thread. Handling an alarm may call or destroy objects of the program that uses this library, for
        // example a provider whose fetch is stopped. Such objects might block the thread.
        timer.start { [weak self] in BlockingThreads.deadlines.run { [weak self] in self?.timePassed() } }
    }

    /// Applies one event to the state and, before it returns, carries out all actions that the event causes.
    ///
    /// - Parameter isImmediate: whether the calling thread delivers results that are available at once. This concerns
    ///   only requests that the event submits. If the event ends an older request, the result always goes to that
    ///   request's executor.
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

    /// Cancels every request that is live now, a limited number at a time. Cancelling many while the lock is held once
    /// would delay all other callers.
    package func cancelAll() {
        let last = read { $0.lastRequest }
        var place: Int?
        repeat {
            place = apply { [place] in
                $0.cancelAll(through: last, from: place, atMost: PipelineState.pieceLength, at: $1)
            }
        } while place != nil
    }

    /// Refuses new requests from now on and empties all caching windows (lists of images to have ready). A limited
    /// number of images is removed at a time, so that the lock is never held for long.
    private func closeToNewRequests() {
        // Tells the pipeline which cached renditions were used. The pipeline needs to know, because it writes a
        // rendition to the store on disk only after the rendition has been used once. `answers` has noted the uses, and
        // `close` deletes these notes. `read` reports them before it calls its closure, so the closure can be empty.
        read { _ in }
        answers.close()
        while !apply({ $0.closeToNewRequests(atMost: PipelineState.pieceLength, at: $1) }) {}
    }

    /// Returns the cache's answer to a request; a request that has an answer need not be submitted. See
    /// `PipelineState.answer`. If no events are logged, the call never waits for the pipeline's lock.
    package func answer(_ key: RenditionKey, priority: RequestPriority) -> CachedAnswer? {
        guard usesAnswerTable else { return state.withLock { $0.answer(key, priority: priority, at: .now) } }
        var isFull = false
        let answer = answers.answer(key, priority: priority, isFull: &isFull)
        if isFull { state.withLockIfAvailable { answers.handOver(to: &$0) } }
        return answer
    }

    /// Calls `body` with the state, after telling the state about the requests that the cache has answered without the
    /// lock.
    package func read<Result: Sendable>(_ body: (PipelineState) -> Result) -> Result {
        state.withLock { state in
            answers.handOver(to: &state)
            return body(state)
        }
    }

    /// Cancels all requests and empties all caching windows (lists of images to have ready); the threads end when their
    /// jobs have stopped.
    package func shutDown() {
        closeToNewRequests()
        cancelAll()
        // All requests have ended. The timer has no deadline left to watch, unless there are look-ups: one that hangs is
        // waited for until its time is over.
        guard !keepers.isEmpty else { return timer.stop() }
        life.notify(queue: Self.endings) { [timer, keepers] in
            timer.stop()
            BlockingThreads.reads.run { for keeper in keepers.values { keeper.close() } }
        }
    }

    /// Cancels all requests, empties all caching windows (lists of images to have ready), and waits until the worker
    /// threads have ended.
    /// - Returns: the records of all renders, from which wasted work can be computed; empty if no records were made.
    package func shutDownAndWait() -> [RenderRecord] {
        shutDown()
        for worker in workers { worker.waitForExit() }
        if !keepers.isEmpty {
            life.wait()
            for keeper in keepers.values { keeper.close() }
        }
        return state.withLock { $0.takeRenderRecords() }
    }

    /// Closes the pipeline, and waits until no render runs, no thread is left, and free memory is back with the system.
    /// Live requests end as usual if `isGraceful`; otherwise they are cancelled.
    package func shutDown(isGraceful: Bool) async {
        closeToNewRequests()
        if !isGraceful { cancelAll() }
        await withCheckedContinuation { continuation in
            // The end of the worker threads is awaited on another thread. The current thread may be a worker itself,
            // and a worker cannot wait for its own end.
            life.notify(queue: Self.endings) { [workers, timer, allocator, keepers] in
                BlockingThreads.reads.run {
                    timer.stop()
                    for worker in workers { worker.waitForExit() }
                    for keeper in keepers.values { keeper.close() }
                    allocator.returnFreePages()
                    continuation.resume()
                }
            }
        }
    }

    /// Handles an alarm of the timer. Handlers with an inline executor do not run on this thread, but on threads for
    /// handlers. Otherwise a handler that blocks would delay other requests whose deadlines come at the same time.
    private func timePassed() {
        let (_, actions) = change { $0.timePassed(at: $1) }
        carryOut(actions, runsInline: false)
    }

    private func change<Result: Sendable>(
        _ event: (inout PipelineState, MonotonicTime) -> Result
    ) -> (Result, [PipelineAction]) {
        state.withLock { state in
            // Tells the state which requests were answered from the cache without the lock, so that `event` takes these
            // answers into account. The clock is read while the lock is held, so that successive events have increasing
            // times.
            answers.handOver(to: &state)
            let result = event(&state, .now)
            let actions = state.takeActions()
            answers.follow(state.takeRenditionChanges())
            return (result, actions)
        }
    }

    /// Carries out the actions that an event has caused.
    ///
    /// - Parameters:
    ///   - last: the newest request that existed before the event. Results of requests newer than `last` are delivered
    ///     on this thread. Results of older requests go through the executors of those requests. If `last` is nil,
    ///     every result goes through an executor.
    ///   - worker: the number of the worker on whose thread this method runs; nil if the thread is not a worker's.
    ///   - runsInline: whether handlers with an inline executor may run on this thread.
    /// - Returns: the next assignment for `worker`; nil if there is none.
    @discardableResult
    private func carryOut(
        _ actions: [PipelineAction], immediatelyAfter last: ImageRequestID? = nil, on worker: Int? = nil,
        runsInline: Bool = true
    ) -> RenderAssignment? {
        var interpreter = LiveInterpreter(self, immediatelyAfter: last, on: worker, runsInline: runsInline)
        // The loops use indices, so that looking at an action's kind does not copy the action.
        for index in actions.indices where !actions[index].isDelivery { interpreter.carryOut(actions[index]) }
        // Handlers come last: a handler that runs on this thread may take long, or wait for work that was started
        // above.
        for index in actions.indices where actions[index].isDelivery { interpreter.carryOut(actions[index]) }
        return interpreter.nextAssignment
    }

    /// Starts a thread for a worker. If the worker has a thread already, that thread runs an abandoned render.
    fileprivate func startThread(ofWorker number: Int) {
        workers[number].start(named: "thumbwheel-\(number)") { [self] in run($0) }
    }

    private func run(_ assignment: RenderAssignment) -> RenderWorker.Step {
        let (made, peakByteCount) = allocator.measurePeak {
            renderer.render(assignment, with: IdleWorkers(workers: workers))
        }
        // The outcome is moved into the event, not copied. A copy in this function would hold the pixels until the
        // event has ended.
        var outcome: RenderOutcome? = consume made
        let (isAbandoned, actions) = change { state, now in
            // The outcome of an abandoned render is destroyed after the lock is released.
            if state.endAbandoned(assignment.token, at: now) { return true }
            guard let made = outcome.take() else { return false }
            state.finish(assignment.job, with: consume made, peakByteCount: peakByteCount, at: now)
            return false
        }
        // The worker has another thread since this render was abandoned, and that thread runs its next assignment.
        guard !isAbandoned else {
            carryOut(actions)
            return .leave
        }
        return carryOut(actions, on: assignment.worker).map { .run($0) } ?? .wait
    }

    fileprivate func fetch(_ assignment: FetchAssignment) {
        fetcher.fetch(assignment) { [self] fraction in
            apply { state, _ in state.progressFetch(assignment.id, to: fraction) }
        } completion: { [self] outcome in
            apply { $0.finishFetch(assignment.id, with: outcome, at: $1) }
        }
    }

    fileprivate func lookUp(_ assignment: LookUpAssignment) {
        guard let keeper = keepers[assignment.tier] else { preconditionFailure("a look-up without a tier") }
        keeper.lookUp(assignment) { [self] answer in
            // The outcome is moved into the event and not copied, so that only the pipeline holds its pixels after the
            // event.
            var outcome: LookUpOutcome? = consume answer
            apply { state, now in
                guard let answer = outcome.take() else { return }
                state.finishLookUp(assignment.id, with: consume answer, at: now)
            }
        }
    }

    fileprivate func keep(_ assignment: KeepAssignment) {
        for tier in assignment.tiers { keepers[tier]?.keep(assignment) }
    }

    fileprivate func claim(_ assignment: ClaimAssignment) {
        guard let keeper = keepers[.shared] else { preconditionFailure("a claim without a tier") }
        keeper.claim(assignment) { [self] answer in
            // The outcome is moved into the event and not copied, so that only the pipeline holds its pixels after the
            // event.
            var outcome: ClaimOutcome? = consume answer
            apply { state, now in
                guard let answer = outcome.take() else { return }
                state.finishClaim(assignment.id, with: consume answer, at: now)
            }
        }
    }

    fileprivate func endClaim(_ id: ClaimID) { keepers[.shared]?.endClaim(id) }

    fileprivate func drain(_ id: ImageRequestID, to receiver: ResultReceiver) {
        var isOver = false
        while !isOver {
            let results = state.withLock { $0.takeResults(of: id) }
            guard !results.isEmpty else { return }
            for result in results {
                if case .progress(let fraction) = result {
                    if receiver.receive(progress: fraction, of: id) { apply { $0.cancel(id, at: $1) } }
                    continue
                }
                receiver.receive(result)
                isOver = result.isTerminal
            }
        }
    }
}

/// Carries out the actions that one event of the pipeline causes, on the threads of the process. Replays and
/// simulations have interpreters of their own.
private struct LiveInterpreter: PipelineInterpreter {
    private let pipeline: ImagePipeline
    private let last: ImageRequestID?
    private let worker: Int?
    private let runsInline: Bool
    /// The next assignment for the worker whose thread carries out these actions; nil if there is none. The worker runs
    /// it directly afterwards, so it is not sent to a thread.
    private(set) var nextAssignment: RenderAssignment?

    init(_ pipeline: ImagePipeline, immediatelyAfter last: ImageRequestID?, on worker: Int?, runsInline: Bool) {
        self.pipeline = pipeline
        self.last = last
        self.worker = worker
        self.runsInline = runsInline
    }

    mutating func start(_ assignment: RenderAssignment) {
        if assignment.worker == worker {
            nextAssignment = assignment
        } else {
            pipeline.workers[assignment.worker].hand(assignment)
        }
    }

    func stop(_ token: CancellationToken) { token.cancel() }
    func replaceThread(ofWorker worker: Int) { pipeline.startThread(ofWorker: worker) }
    func fetch(_ assignment: FetchAssignment) { pipeline.fetch(assignment) }
    func stopFetch(_ token: CancellationToken) { token.cancel() }
    func lookUp(_ assignment: LookUpAssignment) { pipeline.lookUp(assignment) }
    func keep(_ assignment: KeepAssignment) { pipeline.keep(assignment) }
    func claim(_ assignment: ClaimAssignment) { pipeline.claim(assignment) }
    func stopClaim(_ token: CancellationToken) { token.cancel() }
    func endClaim(_ id: ClaimID) { pipeline.endClaim(id) }

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

    /// Does nothing. The value is destroyed together with the array of actions that contains it, after the pipeline's
    /// lock is released.
    func release(_ value: PipelineAction.ReleasedValue) {}

    /// Returns free memory to the system, on another thread, because the allocator walks through its whole heap.
    func returnFreePages() {
        BlockingThreads.reads.run { [allocator = pipeline.allocator] in allocator.returnFreePages() }
    }

    /// Lets the workers end. The pipeline calls this when no render can start any more. If the workers ended earlier,
    /// another thread could still hand a render to one that has ended.
    func dismissWorkers() { for worker in pipeline.workers { worker.exit() } }

    func becomeIdle() { pipeline.life.leave() }

    /// Whether this thread delivers the results of a request itself, and not through the request's executor.
    private func isImmediate(_ id: ImageRequestID) -> Bool { last.map { $0 < id } ?? false }

    private func executor(of receiver: ResultReceiver) -> DeliveryExecutor {
        receiver.executor.isInline && !runsInline ? .concurrent : receiver.executor
    }
}
