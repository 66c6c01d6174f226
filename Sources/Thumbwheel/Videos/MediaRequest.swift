import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline

/// One request whose work is not done by the pipeline: a request for a Live Photo, a movie, an item to play, or an
/// export session.
///
/// Deliveries are closures that call the handlers of the request's caller. They may be passed on from any thread. They
/// run on the executor one after another, in the order in which they were passed on. The request ends exactly once,
/// with the first terminal delivery.
final class MediaRequest: Sendable {
    typealias Delivery = @Sendable () -> Void

    private struct State {
        /// The deliveries that have not run yet.
        var outbox: [Delivery] = []
        /// Whether the executor is running deliveries, or has been asked to. A new delivery then waits in the queue
        /// until the executor comes to it.
        var isDraining = false
        var isOver = false
        var registration: CancellationToken.Registration?
        var alarm: AlarmClock.Alarm?
    }

    let info: ImageInfo
    /// A token that is cancelled when the request has ended, so that its work stops.
    let token = CancellationToken()
    private let executor: DeliveryExecutor
    private let hostToken: CancellationToken?
    /// Passes the result of a cancelled request to the handler.
    private let cancelled: Delivery
    private let whenOver: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter whenOver: called once, when the request has ended; its last result may still wait for the executor.
    init(
        _ info: ImageInfo, executor: DeliveryExecutor, hostToken: CancellationToken?,
        cancelled: @escaping Delivery, whenOver: @escaping @Sendable () -> Void
    ) {
        self.info = info
        self.executor = executor
        self.hostToken = hostToken
        self.cancelled = cancelled
        self.whenOver = whenOver
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Lets `hostToken`, the token that the caller has put into the options, cancel the request.
    func followHostToken() {
        guard let hostToken else { return }
        let registration = hostToken.onCancel { [weak self] in self?.cancel() }
        let isOver = state.withLock { state in
            state.registration = registration
            return state.isOver
        }
        if isOver { hostToken.removeHandler(registration) }
    }

    /// Queues a delivery, which is a closure that calls one of the caller's handlers, to run after all earlier ones.
    /// Drops it if the request has ended.
    func pass(_ delivery: @escaping Delivery) { add(delivery, isTerminal: false) }

    /// Ends the request, and queues its terminal delivery, which is a closure that passes the last result to the
    /// caller's handler. Does nothing if the request has already ended.
    func end(_ delivery: @escaping Delivery) { add(delivery, isTerminal: true) }

    func cancel() { end(cancelled) }

    /// Ends the request with a delivery when its deadline has come.
    func end(after deadline: Duration, _ delivery: @escaping Delivery) {
        let alarm = AlarmClock.shared.alarm { [weak self] in
            // Ending a request may destroy objects of the program that uses this library, and their code can block. So
            // it is not done on the clock's thread.
            BlockingThreads.deadlines.run { [weak self] in self?.end(delivery) }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.alarm = alarm }
            return state.isOver
        }
        if !isOver { alarm.set(at: .now.advanced(by: deadline)) }
    }

    private func add(_ delivery: @escaping Delivery, isTerminal: Bool) {
        let (isTaken, startsDraining, registration, alarm) = state.withLock { state in
            guard !state.isOver else {
                return (false, false, nil as CancellationToken.Registration?, nil as AlarmClock.Alarm?)
            }
            state.outbox.append(delivery)
            let startsDraining = !state.isDraining
            state.isDraining = true
            guard isTerminal else { return (true, startsDraining, nil, nil) }
            state.isOver = true
            return (true, startsDraining, state.registration.take(), state.alarm.take())
        }
        // Destroys the alarm only now, after the lock is released. The alarm's closure may hold the last references to
        // objects of the program that uses this library, and destroying such objects runs code of the program.
        _ = consume alarm
        if let registration { hostToken?.removeHandler(registration) }
        if isTaken, isTerminal {
            whenOver()
            token.cancel()
        }
        if startsDraining { executor.run { [self] in drain() } }
    }

    private func drain() {
        while true {
            let delivery = state.withLock { state -> Delivery? in
                guard !state.outbox.isEmpty else {
                    state.isDraining = false
                    return nil
                }
                return state.outbox.removeFirst()
            }
            guard let delivery else { return }
            delivery()
        }
    }
}
