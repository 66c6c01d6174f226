import Dispatch
import Thumbwheel
import ThumbwheelCore

extension ServiceHandler {
    /// Makes an answer on a tenant's queue instead of the calling thread, which is one of few that serve all sockets.
    ///
    /// The deadline ends both the wait and what `make` has begun by then.
    ///
    /// - Parameters:
    ///   - place: The tenant's place in the queue, or that of one of its folders.
    ///   - arrival: When the request came; nil for just now.
    ///   - make: Makes the answer. It may wait for a disk, and should begin nothing then if the request is over.
    func later(
        _ queue: TenantQueue, _ place: Int, since arrival: MonotonicTime? = nil,
        _ make: @escaping @Sendable (WaitingRequest) throws(ServiceError) -> ServiceAnswer
    ) throws(ServiceError) -> ServiceAnswer {
        let arrival = arrival ?? .now
        let pending = PendingResponse()
        let waiting = WaitingRequest(pending, since: arrival)
        let isList = queue === documents
        let work = queue.run(place) { [admission] in
            guard !waiting.isOver else { return pending.finish(.abandoned) }
            let start = MonotonicTime.now
            let answer: ServiceAnswer
            do throws(ServiceError) {
                answer = try make(waiting)
            } catch {
                answer = .ready(error.response)
            }
            // Long lists are work as renders are. Waits for disks are none.
            if isList { admission.charge(place, MonotonicTime.now.milliseconds(since: start)) }
            switch answer {
            case .ready(var response):
                response.notes.addWait(start.milliseconds(since: arrival))
                pending.finish(response)
            case .pending(let inner):
                inner.whenReady { pending.finish($0) }
                pending.stops { inner.cancel() }
            }
        }
        guard let work else { throw .busy(retryAfter: configuration.retryAfterSeconds) }
        // While a disk hangs, nothing that waits is begun: whoever is gone must not keep the place of somebody who is there.
        pending.stops(at: .waiting) { [weak pending] in
            queue.withdraw(work)
            pending?.finish(.abandoned)
        }
        if pending.response == nil { endAtDeadline(pending, since: arrival) }
        return .pending(pending)
    }

    /// The time until the deadline of a request, in milliseconds; nil if it has none.
    ///
    /// - Parameter arrival: When the request came.
    func millisecondsLeft(since arrival: MonotonicTime, at now: MonotonicTime = .now) -> Double? {
        configuration.deadline.map { deadline in
            max(0, arrival.advanced(by: deadline).milliseconds(since: now))
        }
    }

    /// Ends a request at its deadline, and what is done for it then.
    ///
    /// - Parameter arrival: When the request came.
    func endAtDeadline(_ pending: PendingResponse, since arrival: MonotonicTime) {
        guard let left = millisecondsLeft(since: arrival) else { return }
        let seconds = configuration.retryAfterSeconds
        DispatchQueue.global().asyncAfter(deadline: .now() + left / 1000) { [weak pending] in
            pending?.cutShort(with: .busy(retryAfter: seconds, since: arrival))
        }
    }
}

extension ServiceResponse {
    /// The response to a request that has waited to its deadline.
    ///
    /// - Parameters:
    ///   - seconds: How soon the client may try again.
    ///   - arrival: When the request came.
    static func busy(retryAfter seconds: Int, since arrival: MonotonicTime) -> ServiceResponse {
        var response = ServiceError.busy(retryAfter: seconds).response
        response.notes.addWait(MonotonicTime.now.milliseconds(since: arrival))
        return response
    }
}
