import ThumbwheelAssets
import ThumbwheelCore

// MARK: The order of results

extension PipelineState {
    /// Takes the results in a request's outbox, in order. The drainer calls again after each delivery until the outbox
    /// is empty. Until then no other drainer is started.
    package mutating func takeResults(of id: ImageRequestID) -> [PipelineResult] { requests.takeResults(of: id) }

    /// Delivers the image of a finished job to all its subscribers.
    mutating func deliver(_ image: SharedImage, of job: Job, fromCache: Bool, at now: MonotonicTime) {
        reserveDeliveries(job.subscribers.count)
        for id in job.subscribers.inOrder {
            guard let slot = requests.slot(of: id) else { continue }
            if requests[slot: slot].finalJob == job.id {
                requests.setFinalJob(nil, of: slot)
                deliverFinal(image, to: id, in: slot, fromCache: fromCache, at: now)
            } else {
                requests.setDegradedJob(nil, of: slot)
                deliverDegraded(image, to: id, fromCache: false, at: now)
                endOutOfReach(id, of: job.compactKey.asset)
            }
        }
    }

    mutating func deliverDegraded(
        _ image: SharedImage, to id: ImageRequestID, fromCache: Bool, at now: MonotonicTime
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

    /// - Parameter asset: the asset of the request, which only the jobs of the request know.
    mutating func deliverFailure(_ error: ImageRequestError, to id: ImageRequestID, of asset: AssetIdentifier) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        end(id, in: slot, with: .failed(error, ImageInfo(requestID: id, asset: asset)))
    }

    /// The asset of a waiting request, taken from the jobs that the request waits for.
    func asset(of request: Request) -> AssetIdentifier? {
        (request.finalJob ?? request.degradedJob).flatMap { renders.contains($0) ? renders[$0].compactKey.asset : nil }
    }

    /// Tells a request, if it asked for progress, which fraction of its bytes has arrived. Only the latest fraction stays in
    /// the outbox.
    mutating func deliverProgress(_ fraction: Double, to id: ImageRequestID) {
        guard let request = requests.live(id), request.reportsProgress else { return }
        send(.progress(fraction), to: id)
    }

    /// Ends a request whose bytes may not be fetched, once no degraded image is on its way.
    mutating func endOutOfReach(_ id: ImageRequestID, of asset: AssetIdentifier) {
        guard let request = requests[id], request.isOutOfReach, request.degradedJob == nil else { return }
        deliverFailure(.networkAccessRequired, to: id, of: asset)
    }

    mutating func end(_ id: ImageRequestID, with result: PipelineResult) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        end(id, in: slot, with: result)
    }

    /// Ends a request: delivers its terminal result as the last one and detaches it from its jobs. Every request ends
    /// here.
    private mutating func end(_ id: ImageRequestID, in slot: Int, with result: PipelineResult) {
        accounts.requestEnded(id, with: result)
        requests.leaveQueue(slot)
        let ties = requests[slot: slot].ties
        if let alarm = ties.alarm { alarms.remove(alarm) }
        if let job = ties.degradedJob { unsubscribe(id, from: job) }
        if let job = ties.finalJob { unsubscribe(id, from: job) }
        if let delivery = requests.end(slot, with: result) { emit(delivery) }
    }

    // MARK: Requests that never wait

    /// Ends a new request at once, with an image that is at hand.
    mutating func settle(_ request: PipelineRequest, as id: ImageRequestID, with image: SharedImage) {
        store.noteOnTheWay(image)
        accounts.finalImageDelivered(after: 0, isFirst: true)
        conclude(request, id, with: .final(image, image.cachedInfo(for: id)))
    }

    mutating func settle(_ request: PipelineRequest, as id: ImageRequestID, with error: ImageRequestError) {
        let info = ImageInfo(requestID: id, asset: request.key.subject.asset)
        conclude(request, id, with: error == .cancelled ? .cancelled : .failed(error, info))
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
