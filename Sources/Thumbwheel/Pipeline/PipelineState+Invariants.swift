import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What must hold between any two events

extension PipelineState {
    /// Where the parts contradict one another: asked by simulations after every event.
    package var brokenInvariant: BrokenInvariant? {
        do throws(BrokenInvariant) {
            try checkInvariants()
            return nil
        } catch {
            return error
        }
    }

    private func checkInvariants() throws(BrokenInvariant) {
        try scheduler.checkInvariants()
        for request in requests.values { try check(request, request.id) }
        try checkQueues()
        try checkAlarms()
        let reserved = try checkJobs()
        try BrokenInvariant.require(
            budget.usedByteCount(for: .rendering) == reserved, "reservations of renders do not add up")
        try BrokenInvariant.require(
            budget.usedByteCount(for: .cache) == cache.byteCount, "reservations of the cache do not add up")
        try BrokenInvariant.require(
            budget.usedByteCount(for: .packed) == packed.byteCount, "reservations of what is packed do not add up")
        try BrokenInvariant.require(
            cachedRenditions.values.reduce(0) { $0 + $1.entries.count } == cache.count + packed.count
                && cachedRenditions.values.allSatisfy { renditions in
                    renditions.entries.allSatisfy { (cache.peek($0.key) ?? packed.peek($0.key)) === $0.shared }
                }, "the cache's index is out of step")
        for renditions in cachedRenditions.values { try renditions.checkInvariants() }
        for key in packed.keys(of: .loose) {
            try BrokenInvariant.require(!cache.contains(key), "packed, and a bitmap as well")
        }
        try checkFetches()
        try checkWindows()
        // Visible work never waits behind a prefetch that could make way.
        try BrokenInvariant.require(scheduler.preemption == nil, "a prefetch runs on in front of visible work")
        try BrokenInvariant.require(
            scheduler.candidate == nil || scheduler.preemptionForMemory == nil,
            "a prefetch keeps the memory that visible work lacks")
        // Images that nobody asked to keep are the first to go.
        try BrokenInvariant.require(
            budget.shortage(for: 0) == 0
                || cache.keys(of: .loose).allSatisfy { isInUse(cache.peek($0)!) }
                    && packed.keys(of: .loose).allSatisfy { isInUse(packed.peek($0)!) },
            "over the budget for what nobody holds")
        try BrokenInvariant.require(
            statistics.liveRequestCount == requests.values.count { !$0.hasEnded }, "live requests miscounted")
    }

    private func check(_ request: Request, _ id: ImageRequestID) throws(BrokenInvariant) {
        if request.hasEnded {
            try BrokenInvariant.require(
                request.finalJob == nil && request.degradedJob == nil, "a job works for an ended request")
            try BrokenInvariant.require(request.alarm == nil, "a deadline of an ended request")
            try BrokenInvariant.require(request.isDraining, "an ended request that is kept for nobody")
            try BrokenInvariant.require(request.outbox.last?.isTerminal ?? true, "a result after the terminal one")
        } else {
            try BrokenInvariant.require(
                !request.outbox.contains { $0.isTerminal }, "a live request has its terminal result")
            try BrokenInvariant.require(
                request.isOutOfReach ? request.degradedJob != nil : request.finalJob != nil,
                "a request that nothing will end")
            try BrokenInvariant.require(
                (request.alarm != nil) == request.hasDeadline, "a deadline lost")
            for case let job? in [request.finalJob, request.degradedJob] {
                try BrokenInvariant.require(jobs.contains(job), "a request waits for a job that is over")
                try BrokenInvariant.require(
                    jobs[job].subscribers.contains(id), "a request waits for a job unknown to it")
            }
        }
        try BrokenInvariant.require(request.outbox.isEmpty || request.isDraining, "results that nobody takes")
    }

    private func checkQueues() throws(BrokenInvariant) {
        var counts = Array(repeating: 0, count: RequestPriority.allCases.count)
        var weight = 0
        for request in requests.values where !request.hasEnded {
            counts[request.priority.rawValue] += 1
            weight += Int(request.weight)
            try BrokenInvariant.require(requests[request.id]?.id == request.id, "a request that is not to be found")
        }
        try BrokenInvariant.require(queues.weight == weight, "waiting requests weighed wrongly")
        try BrokenInvariant.require(
            queues.weight * Self.waitingByteCount <= max(0, configuration.queueLimits.byteCount),
            "waiting requests take more memory than they may")
        for priority in RequestPriority.allCases {
            let count = counts[priority.rawValue]
            try BrokenInvariant.require(queues.count(of: priority) == count, "waiting requests miscounted")
            // Where new ones are refused instead, those that are moved are not.
            let isBounded = priority != .userInitiated && configuration.queueLimits.overflow == .shedsOldest
            try BrokenInvariant.require(
                !isBounded || count <= max(0, configuration.queueLimits[priority]), "more wait than may")
        }
    }

    private func checkAlarms() throws(BrokenInvariant) {
        try alarms.checkInvariants()
        let (deadlineCount, runCount) = (requests.values.count { $0.alarm != nil }, jobs.values.count { $0.run != nil })
        let alarmCount = deadlineCount + runCount + (memoryAlarm == nil ? 0 : 1)
        try BrokenInvariant.require(alarms.count == alarmCount, "alarms for what is over")
    }

    /// - Returns: the bytes that running jobs have reserved.
    private func checkJobs() throws(BrokenInvariant) -> Int {
        var reserved = 0
        try jobs.checkInvariants()
        for job in jobs.values {
            try BrokenInvariant.require(
                !cache.contains(job.key) || job.isUnderWay || !job.subscribers.isEmpty, "made though at hand")
            for subscriber in job.subscribers.inOrder {
                let request = requests[subscriber]
                try BrokenInvariant.require(
                    request?.finalJob == job.id || request?.degradedJob == job.id, "a stale subscriber")
            }
            if let least = job.subscribers.leastRankOfCrowd {
                try BrokenInvariant.require(
                    least == job.subscribers.inOrder.lazy.map { self.rank(of: $0, for: job.kind) }.min(),
                    "a crowd whose most urgent is another")
            }
            reserved += job.run?.reservation.byteCount ?? 0
            if job.run != nil, job.run!.input == nil, let fetch = fetch(for: job) {
                try BrokenInvariant.require(fetch.jobs.contains(job.id), "bytes read that nobody keeps")
            }
            let members = try membersOfRun(of: job)
            let rank = rank(ofAll: members)
            let isWanted = rank != nil
            try BrokenInvariant.require(!isWanted || scheduler.rank(of: job.id) == rank, "a job of outdated rank")
            switch scheduler.state(of: job.id) {
            case .queued: try BrokenInvariant.require(job.run == nil && isWanted, "an unwanted job is queued")
            case .parked where job.lead != nil:
                try BrokenInvariant.require(
                    job.run == nil
                        && job.lead.map { jobs.contains($0) && jobs[$0].run?.members.contains(job.id) ?? false }
                            ?? false,
                    "waits for a decode that does not know of it")
            case .parked:
                try BrokenInvariant.require(job.run == nil && isWanted, "an unwanted job is parked")
                try BrokenInvariant.require(
                    fetches[job.key.subject]?.id != nil, "parked for bytes that nobody brings")
                try BrokenInvariant.require(
                    fetches[job.key.subject]!.jobs.contains(job.id), "parked, and will not be told")
                try BrokenInvariant.require(
                    needsNetwork(for: job.key, job.work), "parked for bytes that it does not need")
                try BrokenInvariant.require(
                    job.subscribers.inOrder.allSatisfy { requests[$0]?.isNetworkAccessAllowed ?? false },
                    "a request that may not use the network waits for it")
            case .running: try BrokenInvariant.require(job.run != nil && isWanted, "an unwanted job runs on")
            case .stopping: try BrokenInvariant.require(job.run != nil, "a job stops that does not run")
            }
        }
        return reserved + (packing?.reservation.byteCount ?? 0)
    }

    /// - Returns: the job and those that its decode is for as well.
    private func membersOfRun(of job: Job) throws(BrokenInvariant) -> [JobID] {
        guard let members = job.run?.members else { return [job.id] }
        for id in members {
            try BrokenInvariant.require(
                jobs.contains(id) && jobs[id].lead == job.id && jobs[id].key.subject == job.key.subject
                    && jobs[id].key.kind == job.key.kind && scheduler.state(of: id) == .parked,
                "a decode for what does not wait for it")
        }
        return [job.id] + members
    }

    private func checkFetches() throws(BrokenInvariant) {
        try fetchScheduler.checkInvariants()
        var reserved = 0
        for (subject, fetch) in fetches {
            reserved += fetch.reservation?.byteCount ?? 0
            try BrokenInvariant.require(
                (fetch.id == nil) == (fetch.bytes != nil), "bytes neither here nor on their way, or both")
            for job in fetch.jobs {
                try BrokenInvariant.require(
                    jobs.contains(job) && jobs[job].key.subject == subject, "a stale job's bytes")
                try BrokenInvariant.require(
                    fetch.bytes != nil || jobs[job].run == nil, "a render without its bytes")
            }
            guard let id = fetch.id else {
                try BrokenInvariant.require(!fetch.jobs.isEmpty || isHoldingDispatch, "bytes that nobody wants")
                continue
            }
            try BrokenInvariant.require(
                fetch.jobs.isEmpty || fetchScheduler.rank(of: id) == rank(of: fetch), "a fetch of outdated rank")
            switch fetchScheduler.state(of: id) {
            case .parked: throw BrokenInvariant("a parked fetch")
            case .queued:
                try BrokenInvariant.require(fetch.run == nil && fetch.reservation == nil, "a fetch waits and runs")
            case .running, .stopping:
                try BrokenInvariant.require(fetch.run != nil && fetch.reservation != nil, "a fetch unpaid")
            }
            if case .running = fetchScheduler.state(of: id) {
                try BrokenInvariant.require(!fetch.jobs.isEmpty || isHoldingDispatch, "an unwanted fetch runs on")
            }
        }
        let here = fetches.values.count { $0.bytes != nil }
        try BrokenInvariant.require(
            fetchedSubjects.count == here && fetchedSubjects.allSatisfy { fetches[$0]?.bytes != nil },
            "bytes that are here and not known to be, or known and gone")
        try BrokenInvariant.require(
            budget.usedByteCount(for: .fetching) == reserved, "reservations of fetches do not add up")
        try BrokenInvariant.require(fetchScheduler.preemption == nil, "a prefetch's bytes come before visible ones")
    }

    private func checkWindows() throws(BrokenInvariant) {
        var urgencies: [RenditionKey: [Double]] = [:]
        for window in windows.values {
            let entries = Array(window.entries.unordered)
            let ready = entries.compactMap { cache.peek($0.held)?.image.byteCount }
            try BrokenInvariant.require(
                entries.count == window.entries.count && ready.count == window.readyCount
                    && ready.reduce(0, +) == window.readyByteCount, "a window's entries miscounted")
            for entry in entries { urgencies[entry.held, default: []].append(entry.urgency) }
        }
        try BrokenInvariant.require(
            urgencies.count == holds.count
                && urgencies.allSatisfy { key, urgencies in
                    holds[key].map { $0.claims.map(\.urgency).sorted() == urgencies.sorted() } ?? false
                        && holds[key]!.rank.urgency == urgencies.min()
                }, "the holds do not add up")
        for key in cache.keys(of: .held) { try BrokenInvariant.require(holds[key] != nil, "held by nobody") }
        for key in cache.keys(of: .loose) { try BrokenInvariant.require(holds[key] == nil, "held and yet loose") }
    }
}
