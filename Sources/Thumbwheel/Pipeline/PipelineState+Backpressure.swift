import ThumbwheelScheduling

// MARK: More requests than may wait

extension PipelineState {
    /// What the tables hold for a waiting request and one job of its own, in bytes: rows, cells of the indexes at their
    /// usual load, the job's places in the scheduler, and the receiver with the host's closure.
    package static let waitingByteCount =
        MemoryLayout<Request>.stride + MemoryLayout<Job>.stride + 3 * 8 + 8 + Scheduler.queuedByteCount + 64

    /// Makes room for one more request, at the cost of older ones.
    ///
    /// - Returns: false where there is none.
    mutating func admits(_ request: PipelineRequest) -> Bool {
        let limits = configuration.queueLimits
        let priority = request.priority
        let weight = Int(Request.weight(of: request))
        switch limits.overflow {
        case .rejectsNewest: return queues.count(of: priority) < limits[priority] && hasMemory(for: weight)
        case .shedsOldest:
            // Nothing is shed for a request that would not fit even then.
            guard takesNoMoreThanAllowed(queues.weight(above: priority) + weight) else { return false }
            return (priority == .userInitiated || shed(priority, toAdmit: 1)) && shed(forMemoryOf: weight, priority)
        }
    }

    /// After a request has been moved to `priority`, which nobody can be refused any more.
    mutating func shedExcess(of priority: RequestPriority) {
        guard priority != .userInitiated, configuration.queueLimits.overflow == .shedsOldest else { return }
        _ = shed(priority, toAdmit: 0)
    }

    private func hasMemory(for weight: Int) -> Bool { takesNoMoreThanAllowed(queues.weight + weight) }

    private func takesNoMoreThanAllowed(_ weight: Int) -> Bool {
        weight * Self.waitingByteCount <= configuration.queueLimits.byteCount
    }

    private mutating func shed(_ priority: RequestPriority, toAdmit count: Int) -> Bool {
        while queues.count(of: priority) + count > configuration.queueLimits[priority] {
            guard shedOldest(of: priority) else { return false }
        }
        return true
    }

    /// Of the requests that are no more urgent than the new one, the least urgent make way, the oldest of them first.
    private mutating func shed(forMemoryOf weight: Int, _ priority: RequestPriority) -> Bool {
        while !hasMemory(for: weight) {
            let victim = RequestPriority.allCases.last { $0 >= priority && queues.count(of: $0) > 0 }
            guard let victim, shedOldest(of: victim) else { return false }
        }
        return true
    }

    /// - Returns: false where none of the priority waits.
    private mutating func shedOldest(of priority: RequestPriority) -> Bool {
        guard let slot = oldestWaiting(of: priority) else { return false }
        let request = requests[slot: slot]
        guard let asset = asset(of: request) else { return false }
        deliverFailure(.overloaded, to: request.id, of: asset)
        return true
    }

    /// The oldest request whose render does not run: what is begun is to be finished, or under overload nothing ever would
    /// be. Looks at no more than workers can run, lest many that share one render make it a search.
    private mutating func oldestWaiting(of priority: RequestPriority) -> Int? {
        for _ in 0..<configuration.workerCount {
            guard let slot = queues.oldest(of: priority) else { return nil }
            guard let job = requests[slot: slot].finalJob, jobs[job].isUnderWay else { return slot }
            queues.renew(slot, priority: priority)
        }
        return queues.oldest(of: priority)
    }
}
