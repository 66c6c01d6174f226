import ThumbwheelCore

/// Where one request's results go, and what has to be tidied up when it ends.
///
/// A value of four words that lies in the request's row: an object of its own would take twice as many.
package struct ResultReceiver: Sendable {
    /// Two words, whatever is handled.
    private enum Handler: Sendable {
        case image(@Sendable (ImageResult) -> Void)
        case data(@Sendable (ImageDataResult) -> Void)
    }

    /// What few requests have.
    private final class Tracking: Sendable {
        let progressHandler: ProgressHandler?
        /// Tokens that can end the request, with what has to be taken back from them; nil once the request has ended.
        let registrations = Mutex<[(CancellationToken, CancellationToken.Registration)]?>([])

        init(_ progressHandler: ProgressHandler?) {
            self.progressHandler = progressHandler
        }
    }

    let executor: DeliveryExecutor
    private let handler: Handler
    /// Nil for a request that neither a token can end nor progress is wanted of: many of those may wait.
    private let tracking: Tracking?

    /// - Parameter isTracked: whether tokens may end the request, or its progress is wanted.
    private init(
        _ executor: DeliveryExecutor, _ handler: Handler, isTracked: Bool, progressHandler: ProgressHandler?
    ) {
        self.executor = executor
        self.handler = handler
        tracking = isTracked || progressHandler != nil ? Tracking(progressHandler) : nil
    }

    package init(
        executor: DeliveryExecutor, isTracked: Bool = true, progressHandler: ProgressHandler? = nil,
        handler: @escaping @Sendable (ImageResult) -> Void
    ) {
        self.init(executor, .image(handler), isTracked: isTracked, progressHandler: progressHandler)
    }

    init(
        executor: DeliveryExecutor, isTracked: Bool = true, progressHandler: ProgressHandler? = nil,
        handler: @escaping @Sendable (ImageDataResult) -> Void
    ) {
        self.init(executor, .data(handler), isTracked: isTracked, progressHandler: progressHandler)
    }

    var wantsProgress: Bool { tracking?.progressHandler != nil }

    /// - Returns: whether the request is to be stopped.
    func receive(progress fraction: Double) -> Bool {
        var isToStop = false
        tracking?.progressHandler?(fraction, &isToStop)
        return isToStop
    }

    func receive(_ result: PipelineResult) {
        if result.isTerminal { end() }
        switch handler {
        case .image(let handler): handler(ImageResult(result))
        case .data(let handler): handler(ImageDataResult(result))
        }
    }

    /// Has `token` end the request by way of `cancel`, for as long as the request lives.
    func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void) {
        guard let tracking else { preconditionFailure("a token for a request that is not tracked") }
        let registration = token.onCancel(cancel)
        // The request may have ended since it was submitted; then the token must not keep the closure.
        let isOver = tracking.registrations.withLock { registrations in
            registrations?.append((token, registration))
            return registrations == nil
        }
        if isOver { token.removeHandler(registration) }
    }

    private func end() {
        let registrations = tracking?.registrations.withLock { $0.take() } ?? []
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
