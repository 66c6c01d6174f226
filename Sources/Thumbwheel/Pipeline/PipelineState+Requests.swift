import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Events that callers cause

extension PipelineState {
    /// A new request.
    ///
    /// - Parameter isCancelled: whether it was cancelled before it was made; then it ends as it begins.
    /// - Returns: its identifier. Results that are at hand are on their way when this returns.
    package mutating func submit(
        _ request: PipelineRequest, isCancelled: Bool = false, at now: MonotonicTime
    ) -> ImageRequestID {
        lastRequestNumber += 1
        let id = ImageRequestID(rawValue: lastRequestNumber)
        counts.requests.submitted += 1
        lastSequence += 1
        let sequence = configuration.servesNewestFirst ? -lastSequence : lastSequence
        requests.insert(
            Request(
                id: id, request: request, submission: now, sequence: sequence,
                predictedMilliseconds: request.work.predictedMilliseconds), as: id)
        note(.requestSubmitted(id, asset: request.key.subject.asset, priority: request.priority))
        defer { stampEvents(at: now) }
        guard !isClosed, !isCancelled else {
            end(id, with: .cancelled)
            return id
        }
        if let image = lookUp(request) {
            deliverFinal(image, to: id, fromCache: true, at: now)
            return id
        }
        if let deadline = request.deadline, deadline <= .zero {
            deliverFailure(.deadlineExceeded, to: id)
            return id
        }
        guard admits(request.priority) else {
            deliverFailure(.overloaded, to: id)
            return id
        }
        requests[id]!.place = queues.add(id, priority: request.priority)
        if let deadline = request.deadline {
            requests[id]!.alarm = alarms.add(.deadline(id), at: now.advanced(by: deadline))
        }
        if request.deliveryMode == .opportunistic {
            let image = bestCachedImage(for: request.key)
            if let image { deliverDegraded(image, to: id, fromCache: true, at: now) }
            let preview = request.key.with(.preview)
            // A second one is delivered only if it is better than the first (row 128).
            let isWorthMaking = image == nil || (request.allowsSecondDegraded && !cache.contains(preview))
            if request.wantsPreview, isWorthMaking {
                requests[id]!.degradedJob = subscribe(id, to: preview, work: request.work)
            }
        }
        if !allowsNetwork(request), needsNetwork(for: request.key, request.work) {
            requests[id]!.isOutOfReach = true
            endOutOfReach(id)
        } else {
            if request.key.encoding == nil, let input = input(for: request.key, request.work) {
                requests[id]!.predictedMilliseconds = input.predictedMilliseconds
            }
            let job = subscribe(id, to: request.key, work: request.work)
            requests[id]!.finalJob = job
            joinRunningDecode(job, at: now)
        }
        dispatch(at: now)
        return id
    }

    /// A request that cannot be one: counted, and given an identifier for its error.
    package mutating func refuse(at now: MonotonicTime) -> ImageRequestID {
        lastRequestNumber += 1
        counts.requests.submitted += 1
        counts.requests.failed += 1
        let id = ImageRequestID(rawValue: lastRequestNumber)
        note(.requestRefused(id))
        stampEvents(at: now)
        return id
    }

    /// Ends a request with `.cancelled`; does nothing where it has ended or never was (decision on row 115).
    package mutating func cancel(_ id: ImageRequestID, at now: MonotonicTime) {
        guard let request = requests[id], !request.hasEnded else { return }
        end(id, with: .cancelled)
        dispatch(at: now)
    }

    /// Moves a waiting request within the order of work.
    package mutating func setPriority(
        _ priority: RequestPriority, urgency: Double, of id: ImageRequestID, at now: MonotonicTime
    ) {
        guard var request = requests[id], !request.hasEnded else { return }
        guard request.request.priority != priority || request.request.urgency != urgency else { return }
        if let place = request.place, place.priority != priority {
            queues.remove(place)
            request.place = queues.add(id, priority: priority)
        }
        request.request.priority = priority
        request.request.urgency = urgency
        requests[id] = request
        for case let job? in [request.degradedJob, request.finalJob] { updateRank(of: id, in: job) }
        shedExcess(of: priority)
        dispatch(at: now)
    }

    /// Ends every live request with `.cancelled`; windows stay.
    package mutating func cancelAll(at now: MonotonicTime) {
        for id in requests.ids.sorted() { end(id, with: .cancelled) }
        dispatch(at: now)
    }

    /// Cancels live requests, a limited number in each call.
    ///
    /// - Parameters:
    ///   - last: the last request to cancel; later ones live on.
    ///   - place: the result of the previous call; nil in the first call.
    ///   - limit: the number of places that this call may look at.
    /// - Returns: the place where the next call goes on; nil once all are cancelled.
    package mutating func cancelAll(
        through last: ImageRequestID, from place: Int? = nil, atMost limit: Int, at now: MonotonicTime
    ) -> Int? {
        var slot = min(place ?? .max, requests.slotCount)
        let end = max(0, slot - limit)
        while slot > end {
            slot -= 1
            if let id = requests.id(inSlot: slot), id <= last { self.end(id, with: .cancelled) }
        }
        dispatch(at: now)
        return slot > 0 ? slot : nil
    }

    /// The identifier of the newest request so far.
    package var lastRequest: ImageRequestID { ImageRequestID(rawValue: lastRequestNumber) }

    /// Ends all windows, and takes nothing more: later requests are cancelled at once. Live requests go on to their ends.
    /// Once nothing runs any more, `idle` is among the actions.
    package mutating func closeToNewRequests(at now: MonotonicTime) {
        isClosed = true
        for window in windows.keys.sorted() { stopCachingAll(in: window, at: now) }
        dispatch(at: now)
    }

    /// The same, and ends all requests.
    package mutating func close(at now: MonotonicTime) {
        closeToNewRequests(at: now)
        cancelAll(at: now)
    }
}
