import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// Everything that one scroll movement of a view causes: new requests, cancellations, and changes of the view's caching
/// window. A caching window is the list of images to prepare. The pipeline applies the whole batch as one event, and
/// takes its lock only once. It starts and stops renders only after the whole batch. So it starts no render that a
/// later part of the batch would stop.
package struct ImageBatch {
    private let manager: CachingImageManager
    private let contentMode: ContentMode
    private let options: ImageRequestOptions
    private var commands: [PipelineCommand] = []

    /// Makes an empty batch. The content mode and the options apply to all of its requests and to all changes of the
    /// caching window.
    package init(_ manager: CachingImageManager, contentMode: ContentMode, options: ImageRequestOptions) {
        self.manager = manager
        self.contentMode = contentMode
        self.options = options
    }

    package mutating func cancel(_ id: ImageRequestID) {
        commands.append(.cancel(id))
    }

    package mutating func setUrgency(_ urgency: Double, of id: ImageRequestID) {
        commands.append(.setPriority(id, options.priority, urgency: urgency))
    }

    /// Computes the facts about an asset that the batch's requests and window changes need. They stay valid as long as
    /// the asset does not change. Nil if a request for the asset would be refused.
    package func check(_ asset: Asset, targetSize: PixelSize) -> CheckedImage? {
        let configuration = manager.imageManager.configuration
        return try? order(of: asset, targetSize, urgency: 0).checked(
            usesEmbeddedPreviews: configuration.usesEmbeddedPreviews, limits: configuration.limits,
            isolation: configuration.isolation)
    }

    /// Adds a request for an asset. An invalid request fails at once and has no identifier in the result of `apply`.
    ///
    /// - Parameter image: the result of `check` for the asset and the size.
    /// - Returns: whether the request is valid and has an identifier in the result of `apply`.
    package mutating func request(
        _ asset: Asset, targetSize: PixelSize, _ image: CheckedImage?, urgency: Double,
        resultHandler: @escaping @Sendable (ImageResult) -> Void
    ) -> Bool {
        let order = order(of: asset, targetSize, urgency: urgency)
        let imageManager = manager.imageManager
        let executor = options.executor ?? imageManager.configuration.executor
        let receiver = ResultReceiver(
            executor: executor, isTracked: options.cancellationToken != nil, progressHandler: options.progressHandler,
            handler: resultHandler)
        if let image {
            commands.append(.request(order.pipelineRequest(image, receiver: receiver)))
            return true
        }
        do throws(ImageRequestError) {
            commands.append(.request(try imageManager.pipelineRequest(for: order, to: receiver)))
            return true
        } catch {
            _ = imageManager.refuse(order, to: receiver, because: error)
            return false
        }
    }

    /// Adds images to the caching window, the list of images to prepare. The first image gets the value
    /// `urgency`, and each further one a value greater by 1. Images with smaller values are made first.
    package mutating func startCaching(_ images: [CheckedImage?], urgency: Double) {
        let entries = images.enumerated().compactMap { index, image in
            image.flatMap { $0.wish(urgency: urgency + Double(index)) }
        }
        commands.append(.startCaching(entries))
    }

    package mutating func stopCaching(_ images: [CheckedImage?]) {
        commands.append(.stopCaching(images.compactMap { $0?.key }))
    }

    package mutating func setAllowsHighQuality(_ allows: Bool) {
        commands.append(.setAllowsHighQuality(allows))
    }

    /// Applies the batch to the pipeline.
    ///
    /// - Returns: the identifiers of the batch's requests, in the order in which the requests were added.
    package consuming func apply() -> [ImageRequestID] {
        guard !commands.isEmpty else { return [] }
        let (commands, feeder) = (commands, manager.feeder)
        let window = feeder.number
        let isCancelled = options.cancellationToken?.isCancelled ?? false
        // Whether this batch may change the caching window at once. If a long list is still being added to the window,
        // the window changes of this batch have to wait until the whole list is added.
        let changesWindow = feeder.isIdle
        let ids = manager.imageManager.pipeline.apply(isImmediate: options.allowsImmediateDelivery) { state, now in
            var ids: [ImageRequestID] = []
            state.beginBatch()
            for command in commands where changesWindow || !command.isOfWindow {
                if let id = state.perform(command, in: window, isCancelled: isCancelled, at: now) { ids.append(id) }
            }
            state.endBatch(at: now)
            return ids
        }
        if !changesWindow {
            feeder.make(small: { state, now in
                for command in commands where command.isOfWindow { state.perform(command, in: window, at: now) }
            })
        }
        if let token = options.cancellationToken { follow(token, ids) }
        return ids
    }

    private func follow(_ token: CancellationToken, _ ids: [ImageRequestID]) {
        let receivers = commands.lazy.compactMap { command in
            if case .request(let request) = command { request.receiver } else { nil }
        }
        for (receiver, id) in zip(receivers, ids) { manager.imageManager.linkRequest(id, of: receiver, to: token) }
    }

    private func order(of asset: Asset, _ targetSize: PixelSize, urgency: Double) -> ImageOrder {
        var options = options
        options.urgency = urgency
        return ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
    }
}
