import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

/// What one move of a view asks of its caching manager, applied as one event: what leaves and what arrives in the same
/// frame does not make way for one another, and the lock is taken once.
package struct ImageBatch {
    fileprivate enum Event {
        case cancel(ImageRequestID)
        case setPriority(ImageRequestID, RequestPriority, urgency: Double)
        case submit(PipelineRequest)
        case startCaching([(key: RenditionKey, work: RenderWork, urgency: Double)])
        case stopCaching([RenditionKey])
        case setAllowsHighQuality(Bool)
    }

    private let manager: CachingImageManager
    private let targetSize: PixelSize
    private let contentMode: ContentMode
    private let options: ImageRequestOptions
    fileprivate private(set) var events: [Event] = []

    /// - Parameters: those of all requests and windows of the batch.
    package init(
        _ manager: CachingImageManager, targetSize: PixelSize, contentMode: ContentMode, options: ImageRequestOptions
    ) {
        self.manager = manager
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.options = options
    }

    package mutating func cancel(_ id: ImageRequestID) {
        events.append(.cancel(id))
    }

    package mutating func setUrgency(_ urgency: Double, of id: ImageRequestID) {
        events.append(.setPriority(id, options.priority, urgency: urgency))
    }

    /// What the batch's requests and windows have to know of an asset: found out once, it serves as long as the asset is the
    /// same. Nil where a request for it would be refused.
    package func check(_ asset: Asset) -> CheckedImage? {
        let configuration = manager.imageManager.configuration
        return try? order(of: asset, urgency: 0).checked(
            usesEmbeddedPreviews: configuration.usesEmbeddedPreviews, limits: configuration.limits)
    }

    /// A request that cannot be one gets its error here and now, and no place in what `apply` returns.
    ///
    /// - Parameter image: what `check` said of the asset.
    /// - Returns: whether it has one.
    package mutating func request(
        _ asset: Asset, _ image: CheckedImage?, urgency: Double,
        resultHandler: @escaping @Sendable (ImageResult) -> Void
    ) -> Bool {
        let order = order(of: asset, urgency: urgency)
        let imageManager = manager.imageManager
        let executor = options.executor ?? imageManager.configuration.executor
        let receiver = ResultReceiver(
            executor: executor, isTracked: options.cancellationToken != nil, progressHandler: options.progressHandler,
            handler: resultHandler)
        if let image {
            events.append(.submit(order.pipelineRequest(image, receiver: receiver)))
            return true
        }
        do throws(ImageRequestError) {
            events.append(.submit(try imageManager.pipelineRequest(for: order, to: receiver)))
            return true
        } catch {
            _ = imageManager.refuse(order, to: receiver, because: error)
            return false
        }
    }

    /// The first image gets `urgency`, each further one 1 more.
    package mutating func startCaching(_ images: [CheckedImage?], urgency: Double) {
        let entries = images.enumerated().compactMap { index, image in
            image.flatMap { $0.isWithinReach ? (key: $0.key, work: $0.work, urgency: urgency + Double(index)) : nil }
        }
        events.append(.startCaching(entries))
    }

    package mutating func stopCaching(_ images: [CheckedImage?]) {
        events.append(.stopCaching(images.compactMap { $0?.key }))
    }

    package mutating func setAllowsHighQuality(_ allows: Bool) {
        events.append(.setAllowsHighQuality(allows))
    }

    /// - Returns: the identifiers of the requests, in their order.
    package consuming func apply() -> [ImageRequestID] {
        guard !events.isEmpty else { return [] }
        let (events, feeder) = (events, manager.feeder)
        let window = feeder.number
        let isCancelled = options.cancellationToken?.isCancelled ?? false
        // A list that is still being worked off comes before what changes the window now.
        let changesWindow = feeder.isIdle
        let ids = manager.imageManager.pipeline.apply(isImmediate: options.allowsImmediateDelivery) { state, now in
            var ids: [ImageRequestID] = []
            state.beginBatch()
            for event in events where changesWindow || !event.isOfWindow {
                if let id = event.apply(to: &state, window: window, isCancelled: isCancelled, at: now) {
                    ids.append(id)
                }
            }
            state.endBatch(at: now)
            return ids
        }
        if !changesWindow {
            feeder.make(small: { state, now in
                for event in events where event.isOfWindow {
                    _ = event.apply(to: &state, window: window, isCancelled: false, at: now)
                }
            })
        }
        if let token = options.cancellationToken { follow(token, ids) }
        return ids
    }

    private func follow(_ token: CancellationToken, _ ids: [ImageRequestID]) {
        let receivers = events.lazy.compactMap { event in
            if case .submit(let request) = event { request.receiver } else { nil }
        }
        for (receiver, id) in zip(receivers, ids) { manager.imageManager.end(id, of: receiver, with: token) }
    }

    private func order(of asset: Asset, urgency: Double) -> ImageOrder {
        var options = options
        options.urgency = urgency
        return ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
    }
}

extension ImageBatch.Event {
    /// Whether it is about the window alone.
    fileprivate var isOfWindow: Bool {
        switch self {
        case .cancel, .setPriority, .submit: false
        case .startCaching, .stopCaching, .setAllowsHighQuality: true
        }
    }

    /// - Returns: the request that it has made.
    fileprivate func apply(
        to state: inout PipelineState, window: Int, isCancelled: Bool, at now: MonotonicTime
    ) -> ImageRequestID? {
        switch self {
        case .cancel(let id): state.cancel(id, at: now)
        case .setPriority(let id, let priority, let urgency):
            state.setPriority(priority, urgency: urgency, of: id, at: now)
        case .submit(let request): return state.submit(request, isCancelled: isCancelled, at: now)
        case .startCaching(let entries): state.startCaching(entries, in: window, at: now)
        case .stopCaching(let keys): state.stopCaching(keys, in: window, at: now)
        case .setAllowsHighQuality(let allows): state.setAllowsHighQuality(allows, in: window, at: now)
        }
        return nil
    }
}
