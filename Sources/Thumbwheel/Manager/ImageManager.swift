import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelRendering
import ThumbwheelScheduling

/// Delivers images of assets at the sizes that are requested: from its cache, from the preview in the file, or by
/// rendering.
///
/// An image manager is safe to use from any thread, and no call waits for work unless its documentation says so. Every
/// request ends with exactly one terminal result, even if several threads call the manager at the same time. The
/// results of one request come in order. When the manager is destroyed, its live requests end as cancelled.
///
/// The class is unchecked `Sendable`, because the compiler checks `Sendable` only for final classes, and this class has
/// a subclass. All properties of both classes are constants of `Sendable` types.
public class ImageManager: @unchecked Sendable {
    /// The manager that all parts of a process can share. It is made when it is first used, with the default
    /// configuration. It watches `PhotoLibrary.shared` and discards the images of photographs that change there.
    public static let `default` = {
        let manager = ImageManager()
        manager.follow(.shared)
        return manager
    }()

    /// The configuration that the manager was made with.
    public let configuration: Configuration
    package let pipeline: ImagePipeline
    /// A thread for calls that would take too long on the thread of the manager's caller.
    package let submissionThread: SerialThread
    /// The live requests for Live Photos, movies and export sessions.
    let mediaRequests: MediaRequests
    private let memoryWatch: MemoryWatch
    /// The store on disk; nil if the configuration asks for none.
    private let keeper: DiskKeeper?
    /// The processes that decode outside this one; nil if the configuration asks for none.
    private let decoders: DecoderPool?
    /// Whether the pipeline ends with this manager. A caching manager uses the pipeline of another manager.
    private let ownsPipeline: Bool
    /// The observations of the libraries that the manager watches.
    let observations = Mutex<[ChangeObservation]>([])

    /// Makes a manager with the default configuration. It has render threads of its own, one for each processor that
    /// the process may use.
    public convenience init() {
        self.init(configuration: Configuration(), renderer: nil, recordsRenders: false)
    }

    /// Makes a manager with a configuration of its own; see <doc:Semantics#Numbers-out-of-bounds>.
    ///
    /// - Throws: `ConfigurationError` if a number in the configuration is out of bounds. In that case no thread has
    ///   been started.
    public convenience init(configuration: Configuration) throws(ConfigurationError) {
        try configuration.validate()
        self.init(configuration: configuration, renderer: nil, recordsRenders: false)
    }

    /// Makes a manager from a configuration whose numbers are known to be within their bounds.
    ///
    /// - Parameters:
    ///   - renderer: the renderer; nil for `AssetRenderer`. Tests give a renderer of their own.
    ///   - fetcher: the fetcher; nil for `ProviderFetcher`. Tests give a fetcher of their own.
    package init(
        configuration: Configuration, renderer: (any RenditionRenderer)? = nil, fetcher: (any ResourceFetcher)? = nil,
        recordsRenders: Bool
    ) {
        self.configuration = configuration
        keeper = DiskKeeper(configuration)
        let renderer = renderer ?? AssetRenderer(configuration)
        let isolation = (renderer as? AssetRenderer)?.isolation
        decoders = isolation?.pool
        pipeline = ImagePipeline(
            configuration: PipelineState.Configuration(configuration, recordsRenders: recordsRenders),
            renderer: renderer,
            fetcher: fetcher ?? ProviderFetcher(configuration, isolation: isolation),
            keepers: configuration.keepers(disk: keeper))
        memoryWatch = MemoryWatch(MemoryPressureGauge(), of: pipeline, isTimed: configuration.watchesMemory)
        submissionThread = SerialThread()
        mediaRequests = MediaRequests()
        ownsPipeline = true
    }

    /// Makes a manager that uses the threads, the cache and the memory budget of `manager`. `manager` must outlive the
    /// new manager.
    init(sharing manager: ImageManager) {
        configuration = manager.configuration
        pipeline = manager.pipeline
        keeper = manager.keeper
        decoders = manager.decoders
        memoryWatch = manager.memoryWatch
        submissionThread = manager.submissionThread
        mediaRequests = manager.mediaRequests
        ownsPipeline = false
    }

    deinit {
        guard ownsPipeline else { return }
        mediaRequests.close()
        mediaRequests.cancelAll()
        pipeline.shutDown()
    }

    /// Requests an image of an asset.
    ///
    /// The request ends with exactly one terminal result, whatever happens; see <doc:Semantics#Requests-that-end>.
    ///
    /// - Parameters:
    ///   - asset: The asset. The image of a video is one of its frames if a video decoder is installed, and otherwise
    ///     the cover picture in the video's file. A video that has neither, and a sound, end the request as
    ///     `.failed(.unsupportedMedia)`.
    ///   - targetSize: The size in pixels; `.maximum` for the largest that the photograph gives.
    ///   - contentMode: Whether the image lies inside the target or covers it.
    ///   - options: The delivery mode, the resize mode, the priority and the rest.
    ///   - resultHandler: Receives any number of degraded images and then one terminal result.
    /// - Returns: The identifier that cancels the request.
    /// - Complexity: constant on the calling thread, besides the look-up in the cache.
    @discardableResult
    public func requestImage(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions(),
        resultHandler: @escaping @Sendable (ImageResult) -> Void
    ) -> ImageRequestID {
        let key = RenditionKey(of: asset, targetSize, contentMode, options)
        if let answer = cachedAnswer(key, options) {
            if options.allowsImmediateDelivery {
                resultHandler(.final(answer))
            } else {
                (options.executor ?? configuration.executor).run { resultHandler(.final(answer)) }
            }
            return answer.requestID
        }
        return submit(
            ImageOrder(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options),
            resultHandler)
    }

    /// Submits a request to the pipeline. The method is never inlined. If it were, `requestImage` would copy the asset
    /// and the options for it before looking in the cache, and the copies would take as long as the answer of the cache
    /// itself.
    @inline(never)
    private func submit(
        _ order: ImageOrder, _ resultHandler: @escaping @Sendable (ImageResult) -> Void
    ) -> ImageRequestID {
        let options = order.options
        let receiver = ResultReceiver(
            executor: options.executor ?? configuration.executor, isTracked: options.cancellationToken != nil,
            progressHandler: options.progressHandler, handler: resultHandler)
        return submit(
            order, to: receiver, isImmediate: options.allowsImmediateDelivery, tokens: [options.cancellationToken])
    }

    /// Requests a high-quality image and waits for it. There is one result, and it is delivered on the calling thread.
    ///
    /// The request cannot be cancelled: the cancellation token in `options` is ignored. See
    /// <doc:Semantics#Synchronous-requests>.
    @available(*, noasync, message: "await image(for:targetSize:contentMode:options:) instead")
    public func requestImageSynchronously(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
        options: ImageRequestOptions = ImageRequestOptions()
    ) -> ImageResult {
        let answer = BlockingAnswer<ImageResult>()
        requestImage(for: asset, targetSize: targetSize, contentMode: contentMode, options: options.synchronous) {
            if $0.isTerminal { answer.set($0) }
        }
        return answer.wait()
    }

    /// Ends a live request of any kind with exactly one `.cancelled`; does nothing if the request has ended. See
    /// <doc:Semantics#Cancellation>.
    ///
    /// - Complexity: constant.
    public func cancelImageRequest(_ id: ImageRequestID) {
        guard !mediaRequests.cancel(id) else { return }
        pipeline.apply { $0.cancel(id, at: $1) }
    }

    /// Ends every live request with `.cancelled`. Images that caching managers prepare are not affected.
    public func cancelAllRequests() {
        mediaRequests.cancelAll()
        pipeline.cancelAll()
    }

    /// Closes the manager: requests made from now on end as cancelled at once, and caching managers prepare no more
    /// images. When this method returns, nothing renders, all of the manager's threads have ended, and free memory is
    /// back with the system. Handlers that their executor has not run yet are still called.
    ///
    /// - Parameter graceful: whether live requests may end as usual; if false, they end as cancelled.
    public func shutdown(graceful: Bool = true) async {
        // Waits until all requests made so far have been submitted to the pipeline. The scrolling grids of
        // `ThumbwheelGrid` submit their requests on `submissionThread`, where some requests may still be queued.
        await submissionThread.finish()
        mediaRequests.close()
        if !graceful { mediaRequests.cancelAll() }
        await pipeline.shutDown(isGraceful: graceful)
        // The pipeline has ended the requests for the still images of Live Photos. Their movies are read on other
        // threads, so this line waits for these threads too.
        await mediaRequests.waitUntilEmpty()
    }

    /// Changes the place of a waiting request in the order of work; does nothing if the request has ended.
    public func setPriority(_ priority: RequestPriority, urgency: Double = 0, of id: ImageRequestID) {
        pipeline.apply { $0.setPriority(priority, urgency: urgency, of: id, at: $1) }
    }

    /// Tells the manager how short memory is, as the program that uses this library sees it. The level stays until the
    /// program sets another. If the system's own signals (`Configuration.watchesMemory`) report a higher level, the
    /// higher level counts. The method returns once images have been evicted and their pages are back with the system.
    public func setMemoryPressure(_ pressure: MemoryPressure) {
        memoryWatch.setPressure(pressure, from: .host)
    }

    /// The manager's counters and sizes at this moment.
    public var statistics: PipelineStatistics { pipeline.read { $0.statistics } }

    /// Counts of the work that the store on disk has done in this process, and the store's state; nil if the manager
    /// has no store on disk.
    public var storeStatistics: StoreStatistics? { keeper?.statistics }

    /// Counts of the work that the shared store has done in this process, and the store's state; nil if the manager has
    /// no store that it shares with other servers.
    public var sharedStoreStatistics: SharedStoreStatistics? { configuration.sharedStore?.statistics }

    /// Counts of the processes that decode outside this one, and their protections; nil if the configuration's
    /// `isolation` is `.none`.
    public var decoderStatistics: DecoderStatistics? { decoders?.statistics }

    /// Summaries of the windows (images to prepare) of all caching managers, in the order in which the managers were
    /// made.
    public var windows: [CachingWindow] { pipeline.read { $0.cachingWindows } }

    /// Takes the events since the last call, in order. There are no events unless `Configuration.eventCapacity` is
    /// above 0. A program can show the events as a time line, or log them to see the last seconds before a failure.
    public func takeEvents() -> PipelineEvents {
        pipeline.apply { state, _ in state.takeEvents() }
    }

    /// Checks the parameters of a caller's request (`ImageOrder`) and turns them into a request for the pipeline.
    func pipelineRequest(for order: ImageOrder, to receiver: ResultReceiver) throws(ImageRequestError)
        -> PipelineRequest
    {
        try order.pipelineRequest(
            usesEmbeddedPreviews: configuration.usesEmbeddedPreviews, limits: configuration.limits,
            isolation: configuration.isolation, receiver: receiver)
    }

    /// Returns the cache's answer to a request with the parameters `order`. Returns nil in two cases:
    ///
    /// - The cache has no answer.
    /// - The cancellation token in the order's options is already cancelled, so the request has to end as cancelled.
    func cachedAnswer(to order: ImageOrder) -> CachedAnswer? { cachedAnswer(order.key, order.options) }

    /// Performs a request entirely from the cache. Returns nil and makes no request if the cache has no answer, or if
    /// the options' token is already cancelled.
    package func cachedResult(
        for asset: Asset, targetSize: PixelSize, contentMode: ContentMode, options: ImageRequestOptions
    ) -> ImageResult? {
        cachedAnswer(RenditionKey(of: asset, targetSize, contentMode, options), options).map { .final($0) }
    }

    private func cachedAnswer(_ key: RenditionKey, _ options: ImageRequestOptions) -> CachedAnswer? {
        guard options.cancellationToken?.isCancelled != true else { return nil }
        return pipeline.answer(key, priority: options.priority)
    }

    func submit(
        _ order: ImageOrder, to receiver: ResultReceiver, isImmediate: Bool, tokens: [CancellationToken?]
    ) -> ImageRequestID {
        let request: PipelineRequest
        do throws(ImageRequestError) {
            request = try pipelineRequest(for: order, to: receiver)
        } catch {
            return refuse(order, to: receiver, because: error)
        }
        // Submits the request as cancelled if a token is already cancelled. Such a request starts no work. If it were
        // submitted as usual, it would start work that the token then has to stop.
        let isCancelled = tokens.contains { $0?.isCancelled ?? false }
        let id = pipeline.apply(isImmediate: isImmediate) { $0.submit(request, isCancelled: isCancelled, at: $1) }
        for case let token? in tokens where !isCancelled { linkRequest(id, of: receiver, to: token) }
        return id
    }

    /// Lets `token` cancel a request for as long as the request is live.
    func linkRequest(_ id: ImageRequestID, of receiver: ResultReceiver, to token: CancellationToken) {
        receiver.follow(token) { [pipeline] in pipeline.apply { $0.cancel(id, at: $1) } }
    }

    /// Refuses a request that cannot be carried out, by delivering the error to the request's receiver.
    ///
    /// - Returns: the identifier of the refused request.
    func refuse(_ order: ImageOrder, to receiver: ResultReceiver, because error: ImageRequestError) -> ImageRequestID {
        let id = pipeline.apply { $0.refuse(at: $1) }
        receiver.executor.run {
            receiver.receive(.failed(error, ImageInfo(requestID: id, asset: order.asset.identifier)))
        }
        return id
    }
}

extension ImageResult {
    fileprivate static func final(_ answer: CachedAnswer) -> ImageResult {
        .final(answer.shared.bitmap!, answer.info)
    }
}
