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
        note(.requestSubmitted(id, asset: request.key.subject.asset, priority: request.priority))
        defer { stampEvents(at: now) }
        guard !isClosed, !isCancelled else {
            settle(request, as: id, with: .cancelled)
            return id
        }
        if let image = lookUp(request) {
            settle(request, as: id, with: image, at: now)
            return id
        }
        if let deadline = request.deadline, deadline <= .zero {
            settle(request, as: id, with: .deadlineExceeded)
            return id
        }
        guard admits(request) else {
            settle(request, as: id, with: .overloaded)
            return id
        }
        let slot = requests.insert(Request(request, id: id, sequence: sequence, at: now))
        queues.add(slot, requests[slot: slot])
        if let deadline = request.deadline {
            requests[slot: slot].alarm = alarms.add(.deadline(id), at: now.advanced(by: deadline))
        }
        if request.deliveryMode == .opportunistic {
            let image = bestCachedImage(for: request.key)
            if let image { deliverDegraded(image, to: id, fromCache: true, at: now) }
            let preview = request.key.with(.preview)
            // A second one is delivered only if it is better than the first.
            let isWorthMaking = image == nil || (request.allowsSecondDegraded && !cache.contains(preview))
            if request.wantsPreview, isWorthMaking {
                let job = subscribe(id, to: preview, work: request.work)
                requests.change(id) { $0.degradedJob = job }
            }
        }
        if !allowsNetwork(request.isNetworkAccessAllowed), needsNetwork(for: request.key, request.work) {
            requests.change(id) { $0.isOutOfReach = true }
            endOutOfReach(id, of: request.key.subject.asset)
        } else {
            if request.key.encoding == nil, let input = input(for: request.key, request.work) {
                requests.change(id) { $0.predictedMilliseconds = input.predictedMilliseconds }
            }
            let job = subscribe(id, to: request.key, work: request.work)
            requests.change(id) { $0.finalJob = job }
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

    /// Ends a request with `.cancelled`; does nothing where it has ended or never was.
    package mutating func cancel(_ id: ImageRequestID, at now: MonotonicTime) {
        guard let request = requests[id], !request.hasEnded else { return }
        end(id, with: .cancelled)
        dispatch(at: now)
    }

    /// Moves a waiting request within the order of work.
    package mutating func setPriority(
        _ priority: RequestPriority, urgency: Double, of id: ImageRequestID, at now: MonotonicTime
    ) {
        guard let slot = requests.slot(of: id), !requests[slot: slot].hasEnded else { return }
        let former = requests[slot: slot]
        guard former.priority != priority || former.urgency != urgency else { return }
        requests[slot: slot].priority = priority
        requests[slot: slot].urgency = urgency
        if former.priority != priority {
            queues.remove(slot, former)
            queues.add(slot, requests[slot: slot])
        }
        for case let job? in [former.degradedJob, former.finalJob] { updateRank(of: id, in: job) }
        shedExcess(of: priority)
        dispatch(at: now)
    }

    /// Ends every live request with `.cancelled`; windows stay.
    package mutating func cancelAll(at now: MonotonicTime) {
        for id in requests.values.map(\.id).sorted() { end(id, with: .cancelled) }
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
    ///
    /// - Parameter limit: how many entries of windows go at once.
    /// - Returns: whether no window has any left; until then it is to be called again.
    @discardableResult
    package mutating func closeToNewRequests(atMost limit: Int = .max, at now: MonotonicTime) -> Bool {
        isClosed = true
        var rest = limit
        for window in windows.keys.sorted() where rest > 0 {
            let count = windows[window]!.entries.count
            stopCachingAll(in: window, atMost: rest, at: now)
            rest -= min(rest, count)
        }
        dispatch(at: now)
        return windows.values.allSatisfy { $0.entries.count == 0 }
    }

    /// The same, and ends all requests.
    package mutating func close(at now: MonotonicTime) {
        closeToNewRequests(at: now)
        cancelAll(at: now)
    }
}
