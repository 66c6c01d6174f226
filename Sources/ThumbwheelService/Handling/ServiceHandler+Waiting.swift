import Dispatch
import Thumbwheel
import ThumbwheelCore

extension ServiceHandler {
    /// Makes an answer on a tenant's queue instead of the calling thread, which is one of few that serve all sockets.
    ///
    /// The deadline ends both the wait and what `make` has begun by then.
    ///
    /// - Parameters:
    ///   - arrival: When the request came; nil for just now.
    ///   - make: Makes the answer to the request that came at a time. It may wait for a disk.
    func later(
        _ queue: TenantQueue, _ resident: Resident, since arrival: MonotonicTime? = nil,
        _ make: @escaping @Sendable (_ arrival: MonotonicTime) throws(ServiceError) -> ServiceAnswer
    ) throws(ServiceError) -> ServiceAnswer {
        let arrival = arrival ?? .now
        let pending = PendingResponse()
        let isList = queue === documents
        let place = queue.run(resident.index) { [admission] in
            // The client may have left, and the deadline may be over.
            guard pending.response == nil else { return }
            let start = MonotonicTime.now
            let answer: ServiceAnswer
            do throws(ServiceError) {
                answer = try make(arrival)
            } catch {
                answer = .ready(error.response)
            }
            // Long lists are work as renders are. Waits for disks are none.
            if isList { admission.charge(resident.index, MonotonicTime.now.milliseconds(since: start)) }
            switch answer {
            case .ready(let response): pending.finish(response)
            case .pending(let inner):
                inner.whenReady { pending.finish($0) }
                pending.stops { inner.cancel() }
            }
        }
        guard let place else { throw .busy(retryAfter: configuration.retryAfterSeconds) }
        // While a disk hangs, nothing that waits is begun: whoever is gone must not keep the place of somebody who is there.
        pending.stops(at: .waiting) { [weak pending] in
            queue.withdraw(place)
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
        let busy = ServiceError.busy(retryAfter: configuration.retryAfterSeconds).response
        DispatchQueue.global().asyncAfter(deadline: .now() + left / 1000) { [weak pending] in
            pending?.cutShort(with: busy)
        }
    }
}
