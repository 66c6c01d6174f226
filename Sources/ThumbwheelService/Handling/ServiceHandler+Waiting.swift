import Dispatch
import Thumbwheel
import ThumbwheelCore

extension ServiceHandler {
    /// Makes an answer on a tenant's queue instead of the calling thread, which is one of few that serve all sockets.
    ///
    /// - Parameter make: Makes the answer. It may wait for a disk.
    func later(
        _ queue: TenantQueue, _ resident: Resident,
        _ make: @escaping @Sendable () throws(ServiceError) -> ServiceAnswer
    ) throws(ServiceError) -> ServiceAnswer {
        let pending = PendingResponse()
        let isList = queue === documents
        let place = queue.run(resident.index) { [admission] in
            // The client may have left, and the deadline may be over.
            guard pending.response == nil else { return }
            let start = MonotonicTime.now
            let answer: ServiceAnswer
            do throws(ServiceError) {
                answer = try make()
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
                // A client that left before that was set has stopped nothing but the wait.
                if pending.isCancelled { inner.cancel() }
            }
        }
        guard let place else { throw .busy(retryAfter: configuration.retryAfterSeconds) }
        // While a disk hangs, nothing that waits is begun: whoever is gone must not keep the place of somebody who is there.
        pending.stops(replacing: false) { [weak pending] in
            queue.withdraw(place)
            pending?.finish(.abandoned)
        }
        if let deadline = configuration.deadline, pending.response == nil {
            end(pending, after: deadline) { queue.withdraw(place) }
        }
        return .pending(pending)
    }

    /// Ends a request that still waits for its answer at its deadline. A picture that is being made knows its own.
    private func end(
        _ pending: PendingResponse, after deadline: Duration, _ withdraw: @escaping @Sendable () -> Void
    ) {
        let busy = ServiceError.busy(retryAfter: configuration.retryAfterSeconds).response
        let (seconds, attoseconds) = deadline.components
        DispatchQueue.global().asyncAfter(deadline: .now() + Double(seconds) + Double(attoseconds) / 1e18) {
            [weak pending] in
            guard let pending, pending.response == nil else { return }
            withdraw()
            pending.finish(busy)
        }
    }
}
