import ThumbwheelCore

// MARK: The order of results

extension PipelineState {
    /// Takes what is in a request's outbox, in order. Whoever was told to drain it asks again after delivering, until
    /// nothing comes; until then nobody else is told to.
    package mutating func takeResults(of id: ImageRequestID) -> [PipelineResult] {
        guard var request = requests.removeValue(forKey: id) else { return [] }
        let results = request.outbox
        // Where the terminal result is among these, nothing follows it.
        guard !request.hasEnded else { return results }
        request.outbox = []
        request.isDraining = !results.isEmpty
        requests[id] = request
        return results
    }

    mutating func deliverDegraded(
        _ image: PipelineImage, to id: ImageRequestID, fromCache: Bool, at now: MonotonicTime
    ) {
        guard let request = requests[id], !request.hasEnded, request.degradedPixelCount < image.pixelSize.pixelCount
        else { return }
        if request.degradedPixelCount == 0 {
            counts.firstImage.record(milliseconds: now.milliseconds(since: request.submission))
        }
        requests[id]!.degradedPixelCount = image.pixelSize.pixelCount
        var info = info(on: image, for: request, id, fromCache: fromCache, at: now)
        info.isDegraded = true
        note(.requestDegraded(id))
        send(.degraded(image, info), to: id)
    }

    mutating func deliverFinal(_ image: PipelineImage, to id: ImageRequestID, fromCache: Bool, at now: MonotonicTime) {
        guard let request = requests[id], !request.hasEnded else { return }
        var info = info(on: image, for: request, id, fromCache: fromCache, at: now)
        info.isDegraded = image.isPartial
        counts.requests.delivered += 1
        let milliseconds = now.milliseconds(since: request.submission)
        counts.finalImage.record(milliseconds: milliseconds)
        if request.degradedPixelCount == 0 { counts.firstImage.record(milliseconds: milliseconds) }
        end(request, id, with: .final(image, info))
    }

    mutating func deliverFailure(_ error: ImageRequestError, to id: ImageRequestID) {
        guard let request = requests[id], !request.hasEnded else { return }
        if error == .overloaded { counts.requests.shed += 1 } else { counts.requests.failed += 1 }
        end(id, with: .failed(error, ImageInfo(requestID: id, asset: request.request.key.subject.asset)))
    }

    /// Tells a request that asked for it how much of its bytes is here; of what nobody has taken yet only the latest.
    mutating func deliverProgress(_ fraction: Double, to id: ImageRequestID) {
        guard let request = requests[id], !request.hasEnded, request.request.reportsProgress else { return }
        if case .progress = request.outbox.last { requests[id]!.outbox.removeLast() }
        send(.progress(fraction), to: id)
    }

    /// Ends a request whose bytes may not be fetched, once no degraded image is to come (row 125).
    mutating func endOutOfReach(_ id: ImageRequestID) {
        guard let request = requests[id], request.isOutOfReach, request.degradedJob == nil else { return }
        deliverFailure(.networkAccessRequired, to: id)
    }

    mutating func end(_ id: ImageRequestID, with result: PipelineResult) {
        guard let request = requests[id], !request.hasEnded else { return }
        end(request, id, with: result)
    }

    /// The one way in which a request ends: its terminal result is the last in its outbox, and no job works for it.
    private mutating func end(_ request: Request, _ id: ImageRequestID, with result: PipelineResult) {
        if case .cancelled = result { counts.requests.cancelled += 1 }
        note(.requestEnded(id, PipelineEvent.RequestEnd(result)))
        if let place = request.place { queues.remove(place) }
        if let alarm = request.alarm { alarms.remove(alarm) }
        requests[id]!.end(with: result)
        if !request.isDraining { emit(.drain(id, request.request.receiver)) }
        if let job = request.degradedJob { unsubscribe(id, from: job) }
        if let job = request.finalJob { unsubscribe(id, from: job) }
    }

    private mutating func send(_ result: PipelineResult, to id: ImageRequestID) {
        requests[id]!.outbox.append(result)
        guard !requests[id]!.isDraining else { return }
        requests[id]!.isDraining = true
        emit(.drain(id, requests[id]!.request.receiver))
    }

    private func info(
        on image: PipelineImage, for request: Request, _ id: ImageRequestID, fromCache: Bool, at now: MonotonicTime
    ) -> ImageInfo {
        var info = ImageInfo(requestID: id, asset: request.request.key.subject.asset)
        info.describe(image, fromCache: fromCache)
        if !fromCache {
            let waited = now.milliseconds(since: request.submission)
            info.queueMilliseconds = max(0, waited - image.networkMilliseconds - image.renderMilliseconds)
        }
        return info
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

extension PipelineState.Request {
    /// All in one change: a thousand requests may end at once, and each look-up of one has its price.
    fileprivate mutating func end(with result: PipelineResult) {
        finalJob = nil
        degradedJob = nil
        place = nil
        alarm = nil
        outbox.append(result)
        isDraining = true
        hasEnded = true
    }
}

extension ImageInfo {
    /// Takes over what the image itself tells.
    mutating func describe(_ image: PipelineImage, fromCache: Bool) {
        isPartial = image.isPartial
        pixelSize = image.pixelSize
        source = fromCache ? .cache : image.source
        eighths = image.eighths
        decoder = image.decoder
        renderMilliseconds = image.renderMilliseconds
        renderNumber = image.renderNumber
        isFromNetwork = image.isFromNetwork
        networkMilliseconds = image.networkMilliseconds
    }
}
