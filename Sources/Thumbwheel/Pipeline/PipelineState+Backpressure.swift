import ThumbwheelScheduling

// MARK: More requests than may wait

extension PipelineState {
    /// Makes room for one more request of `priority`, at the cost of older ones.
    ///
    /// - Returns: false where there is none.
    mutating func admits(_ priority: RequestPriority) -> Bool {
        let limits = configuration.queueLimits
        switch limits.overflow {
        case .rejectsNewest: return queues.count(of: priority) < limits[priority]
        case .shedsOldest: return priority == .userInitiated || shed(priority, toAdmit: 1)
        }
    }

    /// After a request has been moved to `priority`, which nobody can be refused any more.
    mutating func shedExcess(of priority: RequestPriority) {
        guard priority != .userInitiated, configuration.queueLimits.overflow == .shedsOldest else { return }
        _ = shed(priority, toAdmit: 0)
    }

    private mutating func shed(_ priority: RequestPriority, toAdmit count: Int) -> Bool {
        while queues.count(of: priority) + count > configuration.queueLimits[priority] {
            guard let oldest = oldestWaiting(of: priority) else { return false }
            deliverFailure(.overloaded, to: oldest)
        }
        return true
    }

    /// The oldest request whose render does not run: what is begun is to be finished, or under overload nothing ever would
    /// be. Looks at no more than workers can run, lest many that share one render make it a search.
    private mutating func oldestWaiting(of priority: RequestPriority) -> ImageRequestID? {
        for _ in 0..<configuration.workerCount {
            guard let id = queues.oldest(of: priority), let request = requests[id] else { return nil }
            guard let job = request.finalJob, jobs[job.slot]?.isUnderWay ?? false else { return id }
            queues.renew(request.place!)
        }
        return queues.oldest(of: priority)
    }
}
