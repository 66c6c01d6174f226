import ThumbwheelCore

/// Where one request's results go: the host's handler, and the executor that runs it.
///
/// A value of little more than four words that lies in the request's row: an object of its own would take twice as many.
package struct ResultReceiver: Sendable {
    /// Two words and a byte, whatever is handled.
    private enum Handler: Sendable {
        case image(@Sendable (ImageResult) -> Void)
        case data(@Sendable (ImageDataResult) -> Void)
    }

    package let executor: DeliveryExecutor
    /// Absent for a request that no token can end and whose progress nobody wants: many of those may wait.
    private let tracking: Rare<any ResultTracking>
    // Last, so that a row can have its bytes behind that of the handler.
    private let handler: Handler

    package init(
        executor: DeliveryExecutor, tracking: (any ResultTracking)?,
        handler: @escaping @Sendable (ImageResult) -> Void
    ) {
        self.executor = executor
        self.handler = .image(handler)
        self.tracking = tracking.map { Rare($0) } ?? Rare()
    }

    package init(
        executor: DeliveryExecutor, tracking: (any ResultTracking)?,
        handler: @escaping @Sendable (ImageDataResult) -> Void
    ) {
        self.executor = executor
        self.handler = .data(handler)
        self.tracking = tracking.map { Rare($0) } ?? Rare()
    }

    /// Throws all results away.
    package static let none = ResultReceiver(executor: .inline, tracking: nil) { (_: ImageResult) in }

    package var wantsProgress: Bool { tracking.value?.wantsProgress ?? false }

    /// - Returns: whether the request is to be stopped.
    package func receive(progress fraction: Double) -> Bool { tracking.value?.receive(progress: fraction) ?? false }

    package func receive(_ result: PipelineResult) {
        if result.isTerminal { tracking.value?.end() }
        switch handler {
        case .image(let handler): handler(ImageResult(result))
        case .data(let handler): handler(ImageDataResult(result))
        }
    }

    /// Has `token` end the request by way of `cancel`, for as long as the request lives.
    package func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void) {
        guard let tracking = tracking.value else { preconditionFailure("a token for a request that is not tracked") }
        tracking.follow(token, cancel: cancel)
    }
}

extension ImageResult {
    fileprivate init(_ result: PipelineResult) {
        switch result {
        case .progress: preconditionFailure("progress is no result")
        case .degraded(let shared, let info): self = .degraded(shared.requestedPixels, info)
        case .final(let shared, let info): self = .final(shared.requestedPixels, info)
        case .failed(let error, let info): self = .failed(error, info)
        case .cancelled: self = .cancelled
        }
    }
}

extension ImageDataResult {
    fileprivate init(_ result: PipelineResult) {
        switch result {
        case .progress: preconditionFailure("progress is no result")
        case .degraded(let shared, let info), .final(let shared, let info): self = .final(shared.requestedFile, info)
        case .failed(let error, let info): self = .failed(error, info)
        case .cancelled: self = .cancelled
        }
    }
}
