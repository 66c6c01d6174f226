import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Invariants

extension PipelineState {
    /// The first contradiction between the parts of the state; nil if there is none. Simulations check it after every
    /// event.
    package var brokenInvariant: BrokenInvariant? {
        do throws(BrokenInvariant) {
            try checkInvariants()
            return nil
        } catch {
            return error
        }
    }

    private func checkInvariants() throws(BrokenInvariant) {
        try requests.checkInvariants()
        try renders.checkInvariants()
        try fetches.checkInvariants(isInBatch: isInBatch, keeping: renders.partsReadByAbandoned) {
            renders.rank(of: $0)
        }
        try lookUps.checkInvariants { renders.rank(of: $0) }
        try claims.checkInvariants { renders.contains($0) }
        try refusals.checkInvariants { renders.contains($0) && renders.state(of: $0) == .parked }
        try windows.checkInvariants { store.byteCount(of: $0) }
        try store.checkInvariants { windows.isWanted($0) }
        try unused.checkInvariants { store.contains($0) }
        try alarms.checkInvariants(
            count: requests.values.count { $0.alarm != nil } + renders.values.count { $0.run != nil }
                + lookUps.alarmCount + claims.alarmCount)
        for request in requests.values where !request.hasEnded { try check(request) }
        for job in renders.values { try check(job) }
        for (job, fetch) in fetches.jobsAndFetches { try check(job, waitingFor: fetch) }
        try BrokenInvariant.require(
            store.budget.usedByteCount(for: .rendering)
                == renders.reservedByteCount + lookUps.reservedByteCount + exportedByteCount,
            "reservations of renders and exports do not add up")
        try BrokenInvariant.require(
            renders.partsReadByAbandoned.allSatisfy { fetches.bytes(of: $0) != nil },
            "an abandoned run reads bytes that do not count")
        try BrokenInvariant.require(
            store.budget.usedByteCount(for: .fetching) == fetches.reservedByteCount,
            "reservations of fetches do not add up")
        try BrokenInvariant.require(
            accounts.liveRequestCount == requests.values.count { !$0.hasEnded }, "live requests miscounted")
    }

    private func check(_ request: Request) throws(BrokenInvariant) {
        for case let job? in [request.finalJob, request.degradedJob] {
            try BrokenInvariant.require(renders.contains(job), "a request waits for a job that is over")
            try BrokenInvariant.require(
                renders[job].subscribers.contains(request.id), "a request waits for a job unknown to it")
        }
    }

    private func check(_ job: Job) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            !store.contains(job.key) || job.isUnderWay || !job.subscribers.isEmpty, "made though at hand")
        for subscriber in job.subscribers.inOrder {
            let request = requests[subscriber]
            try BrokenInvariant.require(
                request?.finalJob == job.id || request?.degradedJob == job.id, "a stale subscriber")
        }
        if let least = job.subscribers.leastRankOfCrowd {
            try BrokenInvariant.require(
                least == job.subscribers.inOrder.lazy.map { requests.rank(of: $0, for: job.kind) }.min(),
                "a crowd whose most urgent is another")
        }
        let rank = rank(ofAll: [job.id] + (job.run?.members ?? []))
        try BrokenInvariant.require(rank == nil || renders.rank(of: job.id) == rank, "a job of outdated rank")
        switch renders.state(of: job.id) {
        case .queued: try BrokenInvariant.require(rank != nil, "an unwanted job is queued")
        case .parked:
            if job.lead == nil, !isLookingUp(job.id), !refusals.isEnding(job.id) {
                try checkWaiting(job, isWanted: rank != nil)
            }
        case .running: try BrokenInvariant.require(rank != nil, "an unwanted job runs on")
        case .stopping: break
        }
        if job.run != nil, job.run?.source.input == nil, job.readsRemoteBytes, let fetch = fetches[job.filePart] {
            try BrokenInvariant.require(fetch.jobs.contains(job.id), "bytes read that nobody keeps")
        }
    }

    /// Checks a job that is parked (out of the queue) until its bytes arrive from a network. A fetch must be bringing
    /// the bytes, and all requests of the job must be allowed to use the network.
    ///
    /// - Parameter job: a parked job that waits neither for another job's decode nor for a look-up.
    private func checkWaiting(_ job: Job, isWanted: Bool) throws(BrokenInvariant) {
        try BrokenInvariant.require(isWanted, "an unwanted job is parked")
        let fetch = fetches[job.filePart]
        try BrokenInvariant.require(fetch?.id != nil, "parked for bytes that nobody brings")
        try BrokenInvariant.require(fetch?.jobs.contains(job.id) ?? false, "parked, and will not be told")
        try BrokenInvariant.require(
            source(of: job.key, job.work).isRemote, "parked for bytes that it does not need")
        try BrokenInvariant.require(
            job.subscribers.inOrder.allSatisfy { requests[$0]?.isNetworkAccessAllowed ?? false },
            "a request that may not use the network waits for it")
    }

    private func check(_ job: JobID, waitingFor fetch: Fetch) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            renders.contains(job) && renders[job].filePart == fetch.part, "a stale job's bytes")
        try BrokenInvariant.require(
            fetch.bytes != nil || renders[job].run == nil, "a render without its bytes")
    }
}
