import ThumbwheelCore

/// The receiver of one request's results: the host's handler, and the executor that runs the handler.
///
/// A receiver is a value of little more than four words, which is stored in the table row of its request. As an object,
/// it would take twice as many words.
package struct ResultReceiver: Sendable {
    /// The host's handler, for images or for data. Either closure takes two words, and the enum's case one more byte.
    private enum Handler: Sendable {
        case image(@Sendable (ImageResult) -> Void)
        case data(@Sendable (ImageDataResult) -> Void)
    }

    package let executor: DeliveryExecutor
    /// Reports progress, and lets cancellation tokens end the request. The object is absent if the host has given no
    /// token and no progress handler, which saves memory because very many such requests may wait.
    private let tracking: Rare<any ResultTracking>
    // The handler is the last property, because its enum case is a single byte at the end. The request's row stores its
    // own one-byte properties after that byte, in the same word.
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

    /// A receiver that throws all results away.
    package static let none = ResultReceiver(executor: .inline, tracking: nil) { (_: ImageResult) in }

    package var wantsProgress: Bool { tracking.value?.wantsProgress ?? false }

    /// Reports which fraction of the bytes has arrived.
    ///
    /// - Returns: whether the host wants the request to be stopped.
    package func receive(progress fraction: Double, of id: ImageRequestID) -> Bool {
        tracking.value?.receive(progress: fraction, of: id) ?? false
    }

    package func receive(_ result: PipelineResult) {
        if case .failed(.network(let error), let info) = result { tracking.value?.receive(error, of: info.requestID) }
        if result.isTerminal { tracking.value?.end() }
        switch handler {
        case .image(let handler): handler(ImageResult(result))
        case .data(let handler): handler(ImageDataResult(result))
        }
    }

    /// Lets `token` end the request by calling `cancel`, for as long as the request lives.
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
        case .cancelled(let id, let asset): self = .cancelled(ImageInfo(requestID: id, asset: asset))
        }
    }
}

extension ImageDataResult {
    fileprivate init(_ result: PipelineResult) {
        switch result {
        case .progress: preconditionFailure("progress is no result")
        case .degraded(let shared, let info), .final(let shared, let info): self = .final(shared.requestedFile, info)
        case .failed(let error, let info): self = .failed(error, info)
        case .cancelled(let id, let asset): self = .cancelled(ImageInfo(requestID: id, asset: asset))
        }
    }
}
