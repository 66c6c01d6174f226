import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

// MARK: Submitting and ending requests

extension PipelineState {
    /// Submits a new request.
    ///
    /// - Parameter isCancelled: whether the request was cancelled before it was submitted; then it ends at once.
    /// - Returns: the identifier of the request. If the request can get results at once, `takeActions` then returns the
    ///   actions that deliver them.
    package mutating func submit(
        _ request: PipelineRequest, isCancelled: Bool = false, at now: MonotonicTime
    ) -> ImageRequestID {
        defer { stampEvents(at: now) }
        let (id, isWaiting) = enter(request, isCancelled: isCancelled, at: now)
        if isWaiting { dispatch(at: now) }
        return id
    }

    /// Submits new requests together. No work begins before all have been entered, so that those for one picture share
    /// a decode from its beginning.
    ///
    /// - Parameter isCancelled: whether the requests were cancelled before they were submitted; then they end at once.
    /// - Returns: the identifiers of the requests, in the same order.
    package mutating func submit(
        _ requests: [PipelineRequest], isCancelled: Bool = false, at now: MonotonicTime
    ) -> [ImageRequestID] {
        defer { stampEvents(at: now) }
        var isAnyWaiting = false
        let ids = requests.map { request in
            let (id, isWaiting) = enter(request, isCancelled: isCancelled, at: now)
            isAnyWaiting = isAnyWaiting || isWaiting
            return id
        }
        if isAnyWaiting { dispatch(at: now) }
        return ids
    }

    /// Adds a new request to the state. The request ends at once if it needs no work, for example because the cache
    /// answers it. Otherwise it waits for jobs, and the caller then has to start the work that can start.
    private mutating func enter(
        _ request: PipelineRequest, isCancelled: Bool, at now: MonotonicTime
    ) -> (id: ImageRequestID, isWaiting: Bool) {
        let id = requests.nextID()
        accounts.requestSubmitted(id, asset: request.key.subject.asset, priority: request.priority)
        guard phase == .open, !isCancelled else {
            endAtOnce(request, as: id, with: ImageRequestError.cancelled)
            return (id, false)
        }
        if let image = lookUp(request) {
            noteFirstUse(request.key)
            endAtOnce(request, as: id, with: image)
            return (id, false)
        }
        if let deadline = request.deadline, deadline <= .zero {
            endAtOnce(request, as: id, with: .deadlineExceeded)
            return (id, false)
        }
        guard admits(request) else {
            endAtOnce(request, as: id, with: .overloaded)
            return (id, false)
        }
        let slot = requests.insert(request, as: id, at: now)
        if let deadline = request.deadline {
            requests.setAlarm(alarms.add(.deadline(id), at: now.advanced(by: deadline)), of: slot)
        }
        if request.deliveryMode.acceptsDegraded, request.wantsDegraded {
            seekDegradedImage(for: request, id, slot, at: now)
        }
        seekFinalImage(for: request, id, slot, at: now)
        return (id, true)
    }

    private mutating func seekDegradedImage(
        for request: PipelineRequest, _ id: ImageRequestID, _ slot: Int, at now: MonotonicTime
    ) {
        let image = store.largestImage(like: request.key)
        if let image {
            deliverDegraded(image, to: id, fromCache: true, isInCloud: request.work.remoteByteCount != nil, at: now)
        }
        let preview = request.key.with(.preview)
        // Whether the preview is worth making. If there is an `image`, it was the request's first degraded image, and a
        // second one is useful only if it is larger. A preview that is already cached is not larger than `image`,
        // because `image` is the largest cached image.
        let isWorthMaking = image == nil || (request.allowsSecondDegraded && !store.contains(preview))
        let wantsPreview = request.wantsPreview && isWorthMaking
        if image != nil || !wantsPreview {
            if seekFastImage(like: request.key, request.work, for: id, slot) { return }
            // Gives up the image that a `.fast` request would get. If it were made later, after a cached image and the
            // preview, it would be a third degraded image, but a request gets at most two.
            requests.forgoFastImage(slot)
        }
        if wantsPreview { requests.setDegradedJob(subscribe(id, to: preview, work: request.work), of: slot) }
    }

    /// Makes the request wait for its next degraded image: the rendition that a `.fast` request would get. Does so only
    /// if the request wants that image, and if the image is larger than the degraded image before it and needs no
    /// fetch. A request waits for one degraded image at a time, so this method is called only while no preview is being
    /// made for the request.
    ///
    /// - Returns: whether the image is being made.
    @discardableResult
    mutating func seekFastImage(
        like key: RenditionKey, _ work: RenderWork, for id: ImageRequestID, _ slot: Int
    ) -> Bool {
        let fast = key.with(.fast)
        guard case let request = requests[slot: slot], request.wantsFastDegraded, !request.hasEnded,
            let size = work.geometry?.outputSize, size.pixelCount > request.degradedPixelCount,
            store.image(fast) == nil, !source(of: fast, work).isRemote
        else { return false }
        requests.setDegradedJob(subscribe(id, to: fast, work: work), of: slot)
        return true
    }

    private mutating func seekFinalImage(
        for request: PipelineRequest, _ id: ImageRequestID, _ slot: Int, at now: MonotonicTime
    ) {
        let source = source(of: request.key, request.work)
        guard
            !source.isRemote || allowsNetwork(request.isNetworkAccessAllowed)
                || asksTiers(for: request.key, request.work)
        else {
            requests.markLackingNetworkAccess(slot)
            return endIfLackingNetworkAccess(id, of: request.key.subject.asset)
        }
        if request.key.encoding == nil, let input = source.input {
            requests.setPredictedMilliseconds(input.predictedMilliseconds, of: slot)
        }
        let job = subscribe(id, to: request.key, work: request.work)
        requests.setFinalJob(job, of: slot)
        joinRunningDecode(job, at: now)
    }

    /// Counts an invalid request, and gives it an identifier. Its receiver gets the identifier with the error.
    package mutating func refuse(at now: MonotonicTime) -> ImageRequestID {
        let id = requests.nextID()
        accounts.requestRefused(id)
        stampEvents(at: now)
        return id
    }

    /// Returns an identifier for a request whose work is not done by the pipeline, for example a request for a movie.
    /// The statistics do not count such a request.
    package mutating func nextRequestID() -> ImageRequestID { requests.nextID() }

    /// Ends a request with `.cancelled`; does nothing if the request has ended or never existed.
    package mutating func cancel(_ id: ImageRequestID, at now: MonotonicTime) {
        guard requests.isLive(id) else { return }
        endCancelled(id)
        dispatch(at: now)
    }

    /// Changes the priority and the urgency of a waiting request, and so its place in the order of work. If too many
    /// requests of the new priority are waiting then, the oldest of them may end with `.overloaded`.
    package mutating func setPriority(
        _ priority: RequestPriority, urgency: Double, of id: ImageRequestID, at now: MonotonicTime
    ) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        let former = requests[slot: slot]
        guard former.priority != priority || former.urgency != urgency else { return }
        requests.setPriority(priority, urgency: urgency, of: slot)
        for case let job? in [former.degradedJob, former.finalJob] { updateRank(of: id, in: job) }
        while requests.hasExcess(of: priority), shedOldest(of: priority) {}
        dispatch(at: now)
    }

    /// Ends every live request with `.cancelled`. Images that caching managers want are still made.
    package mutating func cancelAll(at now: MonotonicTime) {
        for id in requests.ids { endCancelled(id) }
        dispatch(at: now)
    }

    /// Cancels some of the live requests, up to the request `last`. Called again until it returns nil; then all of them
    /// are cancelled. Cancelling all in one call could take long.
    ///
    /// - Parameters:
    ///   - last: the newest request to cancel. Newer requests are not cancelled.
    ///   - place: the result of the previous call; nil in the first call.
    ///   - limit: the number of rows of the request table that this call looks at.
    /// - Returns: the row at which the next call begins; nil once all these requests are cancelled.
    package mutating func cancelAll(
        through last: ImageRequestID, from place: Int? = nil, atMost limit: Int, at now: MonotonicTime
    ) -> Int? {
        let (ids, next) = requests.ids(through: last, from: place, atMost: limit)
        for id in ids { endCancelled(id) }
        dispatch(at: now)
        return next
    }

    /// The identifier of the newest request so far.
    package var lastRequest: ImageRequestID { requests.lastID }

    /// Empties all caching windows (lists of images to have ready) and closes the pipeline. Later requests are
    /// cancelled at once; live requests go on until they end. Once no render and no fetch runs any more, `takeActions`
    /// returns the action `idle`.
    ///
    /// - Parameter limit: the number of images that this call may remove from caching windows.
    /// - Returns: whether all windows are empty. Call again until they are.
    @discardableResult
    package mutating func closeToNewRequests(atMost limit: Int = .max, at now: MonotonicTime) -> Bool {
        closePhase()
        var rest = limit
        for window in windows.numbers where rest > 0 {
            let count = windows.count(of: window)
            stopCachingAll(in: window, atMost: rest, at: now)
            rest -= min(rest, count)
        }
        dispatch(at: now)
        return windows.numbers.allSatisfy { windows.count(of: $0) == 0 }
    }

    /// Closes the pipeline to new requests, and cancels all live ones.
    package mutating func close(at now: MonotonicTime) {
        closeToNewRequests(at: now)
        cancelAll(at: now)
    }

    // MARK: Answering requests from the cache

    /// Answers a request from the cache. The request ends at once: it is counted and numbered like any other request,
    /// but never stored. Returns nil if no cached image answers the request, or if the pipeline is closed. The request
    /// then has to be submitted.
    ///
    /// Most requests during a scroll take this path. It emits no action and allocates nothing.
    ///
    /// - Parameter now: the time; it is read only if events are logged.
    package mutating func answer(
        _ key: RenditionKey, priority: RequestPriority, at now: @autoclosure () -> MonotonicTime
    ) -> CachedAnswer? {
        guard phase == .open, let shared = store.image(satisfying: key) else { return nil }
        let id = requests.nextID()
        accounts.requestAnswered(id, asset: key.subject.asset, priority: priority)
        if !unused.isEmpty { noteFirstUse(key) }
        stampEvents(at: now())
        return CachedAnswer(shared: shared, requestID: id)
    }

    /// The cached rendition that answers `request`; nil if there is none. If the request has the priority
    /// `.userInitiated`, the statistics count the look-up as a hit or a miss.
    private mutating func lookUp(_ request: PipelineRequest) -> SharedImage? {
        let image = store.image(satisfying: request.key) ?? store.equivalentImage(to: request.key, request.work)
        accounts.lookedUp(isHit: image != nil, for: request.priority)
        return image
    }

    // MARK: Limiting the number of waiting requests

    /// The bytes that one waiting request is assumed to take in all tables together.
    package static var waitingByteCount: Int { RequestBook.waitingByteCount }

    /// Makes room for one more waiting request. Ends older requests to make room, if the queue limits say so.
    ///
    /// - Returns: false if there is no room and none can be made.
    private mutating func admits(_ request: PipelineRequest) -> Bool {
        while true {
            switch requests.admission(of: request) {
            case .admitted: return true
            case .refused: return false
            case .afterShedding(let priority): guard shedOldest(of: priority) else { return false }
            }
        }
    }

    /// Ends a request of the given priority with `.overloaded`; `oldestWaiting` chooses the request. Returns false if
    /// no request of the priority waits.
    private mutating func shedOldest(of priority: RequestPriority) -> Bool {
        guard let slot = oldestWaiting(of: priority) else { return false }
        let request = requests[slot: slot]
        guard let asset = asset(of: request) else { return false }
        deliverFailure(.overloaded, to: request.id, of: asset)
        return true
    }

    /// Chooses the request that is ended when too many requests wait. It is the oldest request of the given priority,
    /// with one exception. A request whose render has begun is passed over, because otherwise no render would ever
    /// finish under overload. But very many requests may share one render. So at most `workerCount` requests are passed
    /// over, and then the oldest of the others is chosen in any case.
    private mutating func oldestWaiting(of priority: RequestPriority) -> Int? {
        for _ in 0..<configuration.workerCount {
            guard let slot = requests.oldest(of: priority) else { return nil }
            guard let job = requests[slot: slot].finalJob, renders[job].isUnderWay else { return slot }
            requests.renew(slot)
        }
        return requests.oldest(of: priority)
    }
}
