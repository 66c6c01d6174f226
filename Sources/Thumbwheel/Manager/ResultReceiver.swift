import ThumbwheelCore

/// Where one request's results go, and what has to be tidied up when it ends.
package final class ResultReceiver: Sendable {
    private struct State {
        var hasEnded = false
        /// Tokens that can end the request, with what has to be taken back from them.
        var registrations: [(CancellationToken, CancellationToken.Registration)] = []
    }

    let executor: DeliveryExecutor
    private let handler: @Sendable (PipelineResult) -> Void
    private let progressHandler: ProgressHandler?
    private let state = Mutex(State())

    private init(
        executor: DeliveryExecutor, progressHandler: ProgressHandler?,
        receiving handler: @escaping @Sendable (PipelineResult) -> Void
    ) {
        self.executor = executor
        self.progressHandler = progressHandler
        self.handler = handler
    }

    package convenience init(
        executor: DeliveryExecutor, progressHandler: ProgressHandler? = nil,
        handler: @escaping @Sendable (ImageResult) -> Void
    ) {
        self.init(executor: executor, progressHandler: progressHandler, receiving: { handler(ImageResult($0)) })
    }

    convenience init(
        executor: DeliveryExecutor, progressHandler: ProgressHandler? = nil,
        handler: @escaping @Sendable (ImageDataResult) -> Void
    ) {
        self.init(executor: executor, progressHandler: progressHandler, receiving: { handler(ImageDataResult($0)) })
    }

    var wantsProgress: Bool { progressHandler != nil }

    /// - Returns: whether the request is to be stopped.
    func receive(progress fraction: Double) -> Bool {
        var isToStop = false
        progressHandler?(fraction, &isToStop)
        return isToStop
    }

    func receive(_ result: PipelineResult) {
        if result.isTerminal { end() }
        handler(result)
    }

    /// Has `token` end the request by way of `cancel`, for as long as the request lives.
    func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void) {
        let registration = token.onCancel(cancel)
        // The request may have ended since it was submitted; then the token must not keep the closure.
        let isOver = state.withLock { state in
            if !state.hasEnded { state.registrations.append((token, registration)) }
            return state.hasEnded
        }
        if isOver { token.removeHandler(registration) }
    }

    private func end() {
        let registrations = state.withLock { state in
            state.hasEnded = true
            defer { state.registrations = [] }
            return state.registrations
        }
        for (token, registration) in registrations { token.removeHandler(registration) }
    }
}

extension ImageResult {
    fileprivate init(_ result: PipelineResult) {
        switch result {
        case .progress: preconditionFailure("progress is no result")
        case .degraded(let shared, let info): self = .degraded(shared.bitmap!, info)
        case .final(let shared, let info): self = .final(shared.bitmap!, info)
        case .failed(let error, let info): self = .failed(error, info)
        case .cancelled: self = .cancelled
        }
    }
}

extension ImageDataResult {
    fileprivate init(_ result: PipelineResult) {
        switch result {
        case .progress: preconditionFailure("progress is no result")
        case .degraded(let shared, let info), .final(let shared, let info): self = .final(shared.image.data!, info)
        case .failed(let error, let info): self = .failed(error, info)
        case .cancelled: self = .cancelled
        }
    }
}
