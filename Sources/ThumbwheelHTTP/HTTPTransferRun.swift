import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// Carries out a transfer: owns the transfer's value, passes it the events, and takes the steps that it answers with.
final class HTTPTransferRun: Sendable {
    typealias Result = Swift.Result<HTTPTransfer.Content, NetworkError>

    private struct State {
        var transfer: HTTPTransfer
        /// The request that runs; nil during a pause.
        var task: HTTPTask?
        /// Incremented as a request begins, and with everything that the server sends.
        var signCount = 0
        var completion: (@Sendable (Result) -> Void)?
        var isCancelled = false
    }

    private enum Action {
        case none
        case complete(Result, @Sendable (Result) -> Void)
        case pause(Duration)
        case request
    }

    private let url: URL
    private let client: HTTPClient
    private let progress: ProgressRelay?
    private let state: Mutex<State>

    init(url: URL, transfer: HTTPTransfer, client: HTTPClient, progress: (@Sendable (Double) -> Void)?) {
        self.url = url
        self.client = client
        self.progress = progress.map { ProgressRelay($0) }
        state = Mutex(State(transfer: transfer))
    }

    /// Starts the transfer; `completion` is called once.
    func start(completion: @escaping @Sendable (Result) -> Void) {
        guard HTTPOrigin(url) != nil else {
            completion(.failure(.connectionFailed(reason: "no address of HTTP")))
            return
        }
        let isCancelled = state.withLock { state in
            state.completion = completion
            return state.isCancelled
        }
        if isCancelled { cancel() } else { request() }
    }

    func cancel() {
        let (task, action) = state.withLock { state in
            state.isCancelled = true
            return (state.task, Self.conclude(.failed(.cancelled), &state))
        }
        if let task { client.session.cancel(task) }
        carryOut(action)
    }

    private func request() {
        guard let origin = HTTPOrigin(url) else { return }
        // The request is queued inside the lock, so that nothing of its answer is handled before `task` is set.
        let isWanted = state.withLock { state in
            guard state.completion != nil else { return false }
            state.task = client.add(state.transfer.begin(), to: url, at: origin, of: self)
            return true
        }
        if isWanted { client.session.proceed() }
    }

    /// Ends the request if the server has sent nothing since `signCount` by the end of the timeout.
    private func watch(_ task: HTTPTask, since signCount: Int) {
        // Weak, because the timer would keep the client and the bytes alive until the timeout.
        client.timer(client.configuration.timeout) { [weak self, weak task] in
            guard let self, let task else { return }
            let latest = state.withLock { $0.task === task ? $0.signCount : nil }
            guard let latest else { return }
            if latest == signCount {
                end(task, .timedOut)
                client.session.cancel(task)
            } else {
                watch(task, since: latest)
            }
        }
    }

    // MARK: Events of a request

    /// The request's turn has come: from now on, the server must not be silent.
    func begin(_ task: HTTPTask) {
        let signCount = state.withLock { state -> Int? in
            guard state.task === task else { return nil }
            state.signCount += 1
            return state.signCount
        }
        if let signCount { watch(task, since: signCount) }
    }

    func receiveSign(from task: HTTPTask) {
        state.withLock { state in
            if state.task === task { state.signCount += 1 }
        }
    }

    /// - Returns: whether the rest of the answer is wanted.
    func receive(_ head: HTTPAnswerHead, from task: HTTPTask) -> Bool {
        proceed(task) { $0.receive(head) }
    }

    /// - Returns: whether the rest of the answer is wanted.
    func receive(_ bytes: UnsafeRawBufferPointer, from task: HTTPTask) -> Bool {
        let isWanted = proceed(task) { $0.receive(bytes) }
        if let progress, let fraction = state.withLock({ $0.task === task ? $0.transfer.progress : nil }) {
            progress.tell(fraction)
        }
        return isWanted
    }

    /// Handles the end of a request. The end of a request that was given up is ignored.
    func end(_ task: HTTPTask, _ error: NetworkError?) {
        let action = state.withLock { state in
            guard state.task === task else { return Action.none }
            return Self.conclude(state.transfer.end(error), &state)
        }
        carryOut(action)
    }

    private func proceed(_ task: HTTPTask, _ event: (inout HTTPTransfer) -> HTTPTransfer.Outcome?) -> Bool {
        let (isWanted, action) = state.withLock { state in
            guard state.task === task else { return (false, Action.none) }
            state.signCount += 1
            guard let outcome = event(&state.transfer) else { return (true, .none) }
            return (false, Self.conclude(outcome, &state))
        }
        carryOut(action)
        return isWanted
    }

    private static func conclude(_ outcome: HTTPTransfer.Outcome, _ state: inout State) -> Action {
        state.task = nil
        guard let completion = state.completion else { return .none }
        let result: Result
        switch outcome {
        case .retry(let delay): return .pause(delay)
        case .next: return .request
        case .done(let content): result = .success(content)
        case .failed(let error): result = .failure(error)
        }
        state.completion = nil
        return .complete(result, completion)
    }

    private func carryOut(_ action: Action) {
        switch action {
        case .none: break
        case .complete(let result, let completion):
            if let progress { progress.end { completion(result) } } else { completion(result) }
        case .request: request()
        case .pause(let delay): client.timer(delay) { [self] in request() }
        }
    }
}

extension HTTPTransferRun {
    /// Runs the transfer, and waits for it on the calling thread.
    func wait() throws(NetworkError) -> HTTPTransfer.Content {
        let result = Mutex<Result?>(nil)
        let arrival = DispatchSemaphore(value: 0)
        start {
            let value = $0
            result.withLock { $0 = value }
            arrival.signal()
        }
        arrival.wait()
        return try result.withLock { $0! }.get()
    }

    /// Runs the transfer, and waits for it without blocking a thread; cancelling the task cancels the transfer.
    func content() async throws(NetworkError) -> HTTPTransfer.Content {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }
}
