import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline

/// Receives the progress of a fetch over the network, and the error if the fetch fails. The handler can set `stop` to
/// end the request.
public typealias ProgressHandler = @Sendable (_ progress: ImageProgress, _ stop: inout Bool) -> Void

/// Passes the progress of a request to its progress handler, and lets cancellation tokens end the request.
final class RequestTracking: ResultTracking {
    private let progressHandler: ProgressHandler?
    /// The fraction of the bytes that was last reported to the handler.
    private let fraction = Mutex(0.0)
    /// The cancellation tokens that can end the request, each with the registration of its handler; nil once the
    /// request has ended.
    private let registrations = Mutex<[(CancellationToken, CancellationToken.Registration)]?>([])

    init(_ progressHandler: ProgressHandler?) {
        self.progressHandler = progressHandler
    }

    var wantsProgress: Bool { progressHandler != nil }

    func receive(progress fraction: Double, of id: ImageRequestID) -> Bool {
        self.fraction.withLock { $0 = fraction }
        var isToStop = false
        progressHandler?(ImageProgress(requestID: id, fraction: fraction), &isToStop)
        return isToStop
    }

    func receive(_ error: NetworkError, of id: ImageRequestID) {
        guard let progressHandler else { return }
        var isToStop = false
        let fraction = fraction.withLock { $0 }
        progressHandler(ImageProgress(requestID: id, fraction: fraction, error: .network(error)), &isToStop)
    }

    func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void) {
        let registration = token.onCancel(cancel)
        // The request may have ended since it was submitted. Then the token must not hold the closure `cancel` any
        // longer.
        let isOver = registrations.withLock { registrations in
            registrations?.append((token, registration))
            return registrations == nil
        }
        if isOver { token.removeHandler(registration) }
    }

    func end() {
        let registrations = registrations.withLock { $0.take() } ?? []
        for (token, registration) in registrations { token.removeHandler(registration) }
    }
}

extension ResultReceiver {
    /// Makes a receiver of images.
    ///
    /// - Parameter isTracked: whether cancellation tokens may end the request. If so, the receiver gets a
    ///   `RequestTracking`, which links the tokens to the request. A receiver with a progress handler always gets one.
    package init(
        executor: DeliveryExecutor, isTracked: Bool = true, progressHandler: ProgressHandler? = nil,
        handler: @escaping @Sendable (ImageResult) -> Void
    ) {
        self.init(executor: executor, tracking: Self.tracking(isTracked, progressHandler), handler: handler)
    }

    /// Makes a receiver of image files.
    ///
    /// - Parameter isTracked: whether cancellation tokens may end the request. If so, the receiver gets a
    ///   `RequestTracking`, which links the tokens to the request. A receiver with a progress handler always gets one.
    package init(
        executor: DeliveryExecutor, isTracked: Bool = true, progressHandler: ProgressHandler? = nil,
        handler: @escaping @Sendable (ImageDataResult) -> Void
    ) {
        self.init(executor: executor, tracking: Self.tracking(isTracked, progressHandler), handler: handler)
    }

    private static func tracking(_ isTracked: Bool, _ progressHandler: ProgressHandler?) -> RequestTracking? {
        isTracked || progressHandler != nil ? RequestTracking(progressHandler) : nil
    }
}
