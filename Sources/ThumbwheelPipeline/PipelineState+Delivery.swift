import ThumbwheelAssets
import ThumbwheelCore

// MARK: Delivering results in the right order

extension PipelineState {
    /// Takes the results that wait in a request's outbox, in order. The drainer (the thread that empties the outbox)
    /// calls again after each delivery until it gets no more results. Until then no other drainer is started.
    package mutating func takeResults(of id: ImageRequestID) -> [PipelineResult] { requests.takeResults(of: id) }

    /// Delivers the image of a finished job to all its subscribers, which are the requests that wait for it.
    mutating func deliver(_ image: SharedImage, of job: Job, fromCache: Bool, at now: MonotonicTime) {
        reserveDeliveries(job.subscribers.count)
        for id in job.subscribers.inOrder {
            guard let slot = requests.slot(of: id) else { continue }
            if requests[slot: slot].finalJob == job.id {
                requests.setFinalJob(nil, of: slot)
                deliverFinal(image, to: id, in: slot, fromCache: fromCache, at: now)
            } else {
                requests.setDegradedJob(nil, of: slot)
                deliverDegraded(
                    image, to: id, fromCache: false, isInCloud: job.work.remoteByteCount != nil, at: now)
                if job.kind == .preview { seekFastImage(like: job.key, job.work, for: id, slot) }
                endIfLackingNetworkAccess(id, of: job.assetIdentifier)
            }
        }
    }

    mutating func deliverDegraded(
        _ image: SharedImage, to id: ImageRequestID, fromCache: Bool, isInCloud: Bool, at now: MonotonicTime
    ) {
        let pixelCount = image.facts.pixelSize.pixelCount
        guard let slot = requests.slot(of: id), case let request = requests[slot: slot], !request.hasEnded,
            request.degradedPixelCount < pixelCount
        else { return }
        let isFirst = request.degradedPixelCount == 0
        accounts.degradedImageDelivered(
            to: id, firstAfter: isFirst ? now.milliseconds(since: request.submission) : nil)
        requests.noteDegradedImage(of: pixelCount, to: slot)
        store.noteOnTheWay(image)
        var info = image.info(for: id, submittedAt: request.submission, fromCache: fromCache, at: now)
        info.isDegraded = true
        info.isInCloud = isInCloud
        send(.degraded(image, info), to: id)
    }

    mutating func deliverFinal(_ image: SharedImage, to id: ImageRequestID, fromCache: Bool, at now: MonotonicTime) {
        guard let slot = requests.slot(of: id) else { return }
        deliverFinal(image, to: id, in: slot, fromCache: fromCache, at: now)
    }

    private mutating func deliverFinal(
        _ image: SharedImage, to id: ImageRequestID, in slot: Int, fromCache: Bool, at now: MonotonicTime
    ) {
        guard !requests[slot: slot].hasEnded else { return }
        store.noteOnTheWay(image)
        let submission = requests[slot: slot].submission
        accounts.finalImageDelivered(
            after: now.milliseconds(since: submission), isFirst: requests[slot: slot].degradedPixelCount == 0)
        let info = image.info(for: id, submittedAt: submission, fromCache: fromCache, at: now)
        end(id, in: slot, with: .final(image, info))
    }

    /// - Parameter asset: the asset of the request. The caller passes it, because requests do not store their assets;
    ///   only jobs do.
    mutating func deliverFailure(_ error: ImageRequestError, to id: ImageRequestID, of asset: AssetIdentifier) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        var info = ImageInfo(requestID: id, asset: asset)
        info.isInCloud = error == .networkAccessRequired
        end(id, in: slot, with: .failed(error, info))
    }

    /// The asset of a waiting request, taken from the jobs that the request waits for.
    func asset(of request: Request) -> AssetIdentifier? {
        (request.finalJob ?? request.degradedJob).flatMap { renders.contains($0) ? renders[$0].assetIdentifier : nil }
    }

    /// Tells a request which fraction of its file's bytes has arrived, if the request wants progress reports. The new
    /// fraction replaces earlier ones that have not been delivered yet.
    mutating func deliverProgress(_ fraction: Double, to id: ImageRequestID) {
        guard let request = requests.live(id), request.reportsProgress else { return }
        send(.progress(fraction), to: id)
    }

    /// Ends a request with `.networkAccessRequired` if the request cannot get a final image, because it may not use the
    /// network. Does nothing if the request can get a final image, or while a degraded image is being made for it.
    mutating func endIfLackingNetworkAccess(_ id: ImageRequestID, of asset: AssetIdentifier) {
        guard let request = requests[id], request.lacksNetworkAccess, request.degradedJob == nil else { return }
        deliverFailure(.networkAccessRequired, to: id, of: asset)
    }

    /// Ends a request with `.cancelled`, unless it has ended.
    mutating func endCancelled(_ id: ImageRequestID) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        guard let asset = asset(of: requests[slot: slot]) else {
            preconditionFailure("a live request waits for nothing")
        }
        end(id, in: slot, with: .cancelled(id, asset))
    }

    /// Ends a request: delivers its terminal result after all earlier results, and removes the request from the jobs
    /// that it waits for. Every request that has waited is ended by this method.
    private mutating func end(_ id: ImageRequestID, in slot: Int, with result: PipelineResult) {
        accounts.requestEnded(id, with: result)
        requests.removeFromQueue(slot)
        let former = requests[slot: slot].alarmAndJobs
        if let alarm = former.alarm { alarms.remove(alarm) }
        if let job = former.degradedJob { unsubscribe(id, from: job) }
        if let job = former.finalJob { unsubscribe(id, from: job) }
        if let delivery = requests.end(slot, with: result) { emit(delivery) }
    }

    // MARK: Requests that end at once

    /// Ends a new request at once with an image from the cache.
    mutating func endAtOnce(_ request: PipelineRequest, as id: ImageRequestID, with image: SharedImage) {
        store.noteOnTheWay(image)
        accounts.finalImageDelivered(after: 0, isFirst: true)
        conclude(request, id, with: .final(image, image.cachedInfo(for: id)))
    }

    mutating func endAtOnce(_ request: PipelineRequest, as id: ImageRequestID, with error: ImageRequestError) {
        let asset = request.key.subject.asset
        let info = ImageInfo(requestID: id, asset: asset)
        conclude(request, id, with: error == .cancelled ? .cancelled(id, asset) : .failed(error, info))
    }

    private mutating func conclude(_ request: PipelineRequest, _ id: ImageRequestID, with result: PipelineResult) {
        accounts.requestEnded(id, with: result)
        emit(PipelineDelivery(result, to: id, receiver: request.receiver))
    }

    private mutating func send(_ result: PipelineResult, to id: ImageRequestID) {
        guard let slot = requests.slot(of: id), requests.put(result, into: slot) else { return }
        emit(.drain(id, requests[slot: slot].receiver))
    }
}
