import ThumbwheelCore

/// The receiver of one request's results. It consists of a handler, which is a closure of the program that uses this
/// library, and of the executor that runs the handler.
///
/// A receiver is a value of little more than three words, which is stored in the table row of its request. As an
/// object, it would take twice as many words.
package struct ResultReceiver: Sendable {
    /// The handler of the program that uses this library, for images or for data. Each closure takes two words; the
    /// enum needs one more byte to tell its cases apart.
    private enum Handler: Sendable {
        case image(@Sendable (ImageResult) -> Void)
        case data(@Sendable (ImageDataResult) -> Void)
    }

    /// The executor of the handler and, for some requests, a tracking object. A tracking object reports progress and
    /// lets cancellation tokens end the request. The executor and the tracking object together take one word: hundreds
    /// of thousands of requests may wait, and few of them have a tracking object.
    private enum Route: Sendable {
        case inline
        case queue(DeliveryExecutor.Queue)
        case tracked(TrackedRoute)

        init(_ executor: DeliveryExecutor, _ tracking: (any ResultTracking)?) {
            self =
                if let tracking {
                    .tracked(TrackedRoute(executor, tracking))
                } else if let queue = executor.queue {
                    .queue(queue)
                } else {
                    .inline
                }
        }
    }

    private final class TrackedRoute: Sendable {
        let executor: DeliveryExecutor
        let tracking: any ResultTracking

        init(_ executor: DeliveryExecutor, _ tracking: any ResultTracking) {
            self.executor = executor
            self.tracking = tracking
        }
    }

    private let route: Route
    // `handler` must stay the last property, so that no bytes are wasted. The last byte of `handler` tells the cases of
    // the enum apart, and the other bytes of its memory word are free. Swift puts small properties of the request's
    // row, which contains the receiver, into the free bytes.
    private let handler: Handler

    package init(
        executor: DeliveryExecutor, tracking: (any ResultTracking)?,
        handler: @escaping @Sendable (ImageResult) -> Void
    ) {
        route = Route(executor, tracking)
        self.handler = .image(handler)
    }

    package init(
        executor: DeliveryExecutor, tracking: (any ResultTracking)?,
        handler: @escaping @Sendable (ImageDataResult) -> Void
    ) {
        route = Route(executor, tracking)
        self.handler = .data(handler)
    }

    /// A receiver that throws all results away.
    package static let none = ResultReceiver(executor: .inline, tracking: nil) { (_: ImageResult) in }

    package var executor: DeliveryExecutor {
        switch route {
        case .inline: .inline
        case .queue(let queue): DeliveryExecutor(queue)
        case .tracked(let route): route.executor
        }
    }

    /// The object that reports progress and lets cancellation tokens end the request. Nil if no token can end the
    /// request and no progress reports are wanted.
    private var tracking: (any ResultTracking)? {
        if case .tracked(let route) = route { route.tracking } else { nil }
    }

    package var wantsProgress: Bool { tracking?.wantsProgress ?? false }

    /// Reports which fraction of the bytes has arrived.
    ///
    /// - Returns: whether the progress handler asks to stop the request.
    package func receive(progress fraction: Double, of id: ImageRequestID) -> Bool {
        tracking?.receive(progress: fraction, of: id) ?? false
    }

    package func receive(_ result: PipelineResult) {
        if case .failed(.network(let error), let info) = result { tracking?.receive(error, of: info.requestID) }
        if result.isTerminal { tracking?.end() }
        switch handler {
        case .image(let handler): handler(ImageResult(result))
        case .data(let handler): handler(ImageDataResult(result))
        }
    }

    /// Lets a cancellation token end the request: if `token` is cancelled while the request lives, `cancel` is called.
    package func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void) {
        guard let tracking else { preconditionFailure("a token for a request that is not tracked") }
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
