import ThumbwheelAssets
import ThumbwheelCore

// MARK: The order of results

extension PipelineState {
    /// Takes what is in a request's outbox, in order. Whoever was told to drain it asks again after delivering, until
    /// nothing comes; until then nobody else is told to.
    package mutating func takeResults(of id: ImageRequestID) -> [PipelineResult] {
        guard let slot = requests.slot(of: id) else { return [] }
        let results = requests[slot: slot].outbox
        // Where the terminal result is among these, nothing follows it.
        guard !requests[slot: slot].hasEnded else {
            requests.remove(id)
            return results
        }
        requests[slot: slot].emptyOutbox()
        requests[slot: slot].isDraining = !results.isEmpty
        return results
    }

    /// Gives the image of a job that is over to all who waited for it.
    mutating func deliver(_ image: SharedImage, of job: Job, fromCache: Bool, at now: MonotonicTime) {
        deliveries.reserveCapacity(deliveries.count + job.subscribers.count)
        for id in job.subscribers.inOrder {
            guard let slot = requests.slot(of: id) else { continue }
            if requests[slot: slot].finalJob == job.id {
                requests[slot: slot].finalJob = nil
                deliverFinal(image, to: id, in: slot, fromCache: fromCache, at: now)
            } else {
                requests[slot: slot].degradedJob = nil
                deliverDegraded(image, to: id, fromCache: false, at: now)
                endOutOfReach(id, of: job.compactKey.asset)
            }
        }
    }

    mutating func deliverDegraded(
        _ image: SharedImage, to id: ImageRequestID, fromCache: Bool, at now: MonotonicTime
    ) {
        let pixelCount = image.image.pixelSize.pixelCount
        guard let request = requests[id], !request.hasEnded, request.degradedPixelCount < pixelCount else { return }
        if request.degradedPixelCount == 0 {
            counts.firstImage.record(milliseconds: now.milliseconds(since: request.submission))
        }
        requests.change(id) { $0.degradedPixelCount = pixelCount }
        onTheWay.add(image)
        var info = image.info(for: id, submittedAt: request.submission, fromCache: fromCache, at: now)
        info.isDegraded = true
        note(.requestDegraded(id))
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
        onTheWay.add(image)
        let submission = requests[slot: slot].submission
        counts.requests.delivered += 1
        let milliseconds = now.milliseconds(since: submission)
        counts.finalImage.record(milliseconds: milliseconds)
        if requests[slot: slot].degradedPixelCount == 0 { counts.firstImage.record(milliseconds: milliseconds) }
        end(
            id, in: slot,
            with: .final(image, image.info(for: id, submittedAt: submission, fromCache: fromCache, at: now)))
    }

    /// - Parameter asset: the request's, which its jobs know, and it does not.
    mutating func deliverFailure(_ error: ImageRequestError, to id: ImageRequestID, of asset: AssetIdentifier) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        countFailure(error)
        end(id, in: slot, with: .failed(error, ImageInfo(requestID: id, asset: asset)))
    }

    private mutating func countFailure(_ error: ImageRequestError) {
        if error == .overloaded { counts.requests.shed += 1 } else { counts.requests.failed += 1 }
    }

    /// The asset of a request that waits: that of the jobs that it waits for.
    func asset(of request: Request) -> AssetIdentifier? {
        (request.finalJob ?? request.degradedJob).flatMap { jobs.contains($0) ? jobs[$0].compactKey.asset : nil }
    }

    /// Tells a request that asked for it how much of its bytes is here; of what nobody has taken yet only the latest.
    mutating func deliverProgress(_ fraction: Double, to id: ImageRequestID) {
        guard let request = requests[id], !request.hasEnded, request.reportsProgress else { return }
        send(.progress(fraction), to: id)
    }

    /// Ends a request whose bytes may not be fetched, once no degraded image is to come.
    mutating func endOutOfReach(_ id: ImageRequestID, of asset: AssetIdentifier) {
        guard let request = requests[id], request.isOutOfReach, request.degradedJob == nil else { return }
        deliverFailure(.networkAccessRequired, to: id, of: asset)
    }

    mutating func end(_ id: ImageRequestID, with result: PipelineResult) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        end(id, in: slot, with: result)
    }

    /// The one way in which a request ends: its terminal result is the last that anybody takes, and no job works for it.
    private mutating func end(_ id: ImageRequestID, in slot: Int, with result: PipelineResult) {
        if case .cancelled = result { counts.requests.cancelled += 1 }
        note(.requestEnded(id, PipelineEvent.RequestEnd(result)))
        queues.remove(slot, requests[slot: slot])
        if let alarm = requests[slot: slot].alarm { alarms.remove(alarm) }
        if let job = requests[slot: slot].degradedJob { unsubscribe(id, from: job) }
        if let job = requests[slot: slot].finalJob { unsubscribe(id, from: job) }
        if requests[slot: slot].isDraining {
            // The table destroys the row inside the lock. The receiver is safe: who drains the outbox holds it.
            requests[slot: slot].end(with: result)
        } else {
            // Whatever came before has been delivered: nothing is left that this could overtake.
            deliveries.append(PipelineDelivery(result, to: id, receiver: requests[slot: slot].receiver))
            requests.remove(id)
        }
    }

    // MARK: Requests that never wait

    /// Ends a new request as it begins, with an image that is at hand.
    mutating func settle(
        _ request: PipelineRequest, as id: ImageRequestID, with image: SharedImage, at now: MonotonicTime
    ) {
        onTheWay.add(image)
        counts.requests.delivered += 1
        counts.finalImage.record(milliseconds: 0)
        counts.firstImage.record(milliseconds: 0)
        conclude(request, id, with: .final(image, image.cachedInfo(for: id)))
    }

    mutating func settle(_ request: PipelineRequest, as id: ImageRequestID, with error: ImageRequestError) {
        guard error != .cancelled else {
            counts.requests.cancelled += 1
            return conclude(request, id, with: .cancelled)
        }
        countFailure(error)
        conclude(request, id, with: .failed(error, ImageInfo(requestID: id, asset: request.key.subject.asset)))
    }

    private mutating func conclude(_ request: PipelineRequest, _ id: ImageRequestID, with result: PipelineResult) {
        note(.requestEnded(id, PipelineEvent.RequestEnd(result)))
        deliveries.append(PipelineDelivery(result, to: id, receiver: request.receiver))
    }

    private mutating func send(_ result: PipelineResult, to id: ImageRequestID) {
        guard let slot = requests.slot(of: id) else { return }
        requests[slot: slot].put(result)
        guard !requests[slot: slot].isDraining else { return }
        requests[slot: slot].isDraining = true
        emit(.drain(id, requests[slot: slot].receiver))
    }
}

extension PipelineEvent.RequestEnd {
    fileprivate init(_ result: PipelineResult) {
        self =
            switch result {
            case .progress, .degraded, .final: .delivered
            case .failed(.overloaded, _): .shed
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}
