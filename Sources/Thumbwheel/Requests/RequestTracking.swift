import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline

/// Receives the fraction of a file that has arrived, while the file comes over the network; it can stop the request by setting
/// `stop`.
public typealias ProgressHandler = @Sendable (_ fraction: Double, _ stop: inout Bool) -> Void

/// Tells a host the progress of its request, and lets tokens end the request.
final class RequestTracking: ResultTracking {
    private let progressHandler: ProgressHandler?
    /// The tokens that can end the request, each with its registration; nil once the request has ended.
    private let registrations = Mutex<[(CancellationToken, CancellationToken.Registration)]?>([])

    init(_ progressHandler: ProgressHandler?) {
        self.progressHandler = progressHandler
    }

    var wantsProgress: Bool { progressHandler != nil }

    func receive(progress fraction: Double) -> Bool {
        var isToStop = false
        progressHandler?(fraction, &isToStop)
        return isToStop
    }

    func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void) {
        let registration = token.onCancel(cancel)
        // The request may have ended since it was submitted; if so, the token must not keep the closure.
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
    /// - Parameter isTracked: whether tokens may end the request, or a host wants to hear its progress.
    package init(
        executor: DeliveryExecutor, isTracked: Bool = true, progressHandler: ProgressHandler? = nil,
        handler: @escaping @Sendable (ImageResult) -> Void
    ) {
        self.init(executor: executor, tracking: Self.tracking(isTracked, progressHandler), handler: handler)
    }

    /// - Parameter isTracked: whether tokens may end the request, or a host wants to hear its progress.
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
