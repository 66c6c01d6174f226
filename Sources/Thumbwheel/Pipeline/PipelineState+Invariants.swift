import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What must hold between any two events

extension PipelineState {
    /// Traps where the parts contradict one another: called by simulations after every event.
    package func checkInvariants() {
        scheduler.checkInvariants()
        for (id, request) in requests {
            if request.hasEnded {
                precondition(request.finalJob == nil && request.degradedJob == nil, "a job works for an ended request")
                precondition(request.alarm == nil, "a deadline of an ended request")
                precondition(request.outbox.last?.isTerminal ?? true, "a result after the terminal one")
            } else {
                precondition(!request.outbox.contains { $0.isTerminal }, "a live request has its terminal result")
                precondition(
                    request.isOutOfReach ? request.degradedJob != nil : request.finalJob != nil,
                    "a request that nothing will end")
                precondition((request.alarm != nil) == (request.request.deadline != nil), "a deadline lost")
                for case let job? in [request.finalJob, request.degradedJob] {
                    precondition(jobs[job.slot]?.id == job, "a request waits for a job that is over")
                    precondition(jobs[job.slot]!.subscribers.contains(id), "a request waits for a job unknown to it")
                }
            }
            precondition(request.outbox.isEmpty || request.isDraining, "results that nobody takes")
        }
        for priority in RequestPriority.allCases {
            let waiting = requests.values.filter { $0.request.priority == priority && !$0.hasEnded }
            precondition(queues.count(of: priority) == waiting.count, "waiting requests miscounted")
            precondition(waiting.allSatisfy { $0.place?.priority == priority }, "a request in another's queue")
            // Where new ones are refused instead, those that are moved are not.
            let isBounded = priority != .userInitiated && configuration.queueLimits.overflow == .shedsOldest
            precondition(
                !isBounded || waiting.count <= max(0, configuration.queueLimits[priority]), "more wait than may")
        }
        alarms.checkInvariants()
        precondition(
            alarms.count == requests.values.count { $0.alarm != nil } + jobs.count { $0?.run != nil },
            "alarms for what is over")
        var reserved = 0
        for case let job? in jobs {
            precondition(jobIDs[job.key] == job.id, "a job that its key does not lead to")
            precondition(!cache.contains(job.key) || job.run != nil || !job.subscribers.isEmpty, "made though at hand")
            for subscriber in job.subscribers {
                let request = requests[subscriber]
                precondition(request?.finalJob == job.id || request?.degradedJob == job.id, "a stale subscriber")
            }
            reserved += job.run?.reservation.byteCount ?? 0
            let isWanted = !job.subscribers.isEmpty || holds[job.key] != nil
            precondition(!isWanted || scheduler.rank(of: job.id) == rank(of: job), "a job of outdated rank")
            switch scheduler.state(of: job.id) {
            case .parked:
                precondition(job.run == nil && isWanted, "an unwanted job is parked")
                precondition(fetches[job.key.subject]?.id != nil, "parked for bytes that nobody brings")
                precondition(fetches[job.key.subject]!.jobs.contains(job.id), "parked, and will not be told")
            case .queued: precondition(job.run == nil && isWanted, "an unwanted job is queued")
            case .running: precondition(job.run != nil && isWanted, "an unwanted job runs on")
            case .stopping: precondition(job.run != nil, "a job stops that does not run")
            }
        }
        precondition(jobs.count(where: { $0 != nil }) == jobIDs.count, "a key that leads nowhere")
        precondition(budget.usedByteCount(for: .rendering) == reserved, "reservations of renders do not add up")
        precondition(budget.usedByteCount(for: .cache) == cache.byteCount, "reservations of the cache do not add up")
        precondition(cachedKeys.values.reduce(0) { $0 + $1.count } == cache.count, "the cache's index is out of step")
        checkWindows()
        checkFetches()
        // Visible work never waits behind a prefetch that could make way.
        precondition(scheduler.preemption == nil, "a prefetch runs on in front of visible work")
        precondition(
            scheduler.candidate == nil || scheduler.preemptionForMemory == nil,
            "a prefetch keeps the memory that visible work lacks")
        // Rule 5: what nobody asked to keep is the first to go.
        precondition(
            budget.shortage(for: 0) == 0 || cache.byteCount(of: .loose) == 0, "over the budget for what nobody holds")
        precondition(statistics.liveRequestCount == requests.values.count { !$0.hasEnded }, "live requests miscounted")
    }

    private func checkFetches() {
        fetchScheduler.checkInvariants()
        var reserved = 0
        for (subject, fetch) in fetches {
            reserved += fetch.reservation?.byteCount ?? 0
            precondition((fetch.id == nil) == (fetch.bytes != nil), "bytes neither here nor on their way, or both")
            for job in fetch.jobs {
                precondition(jobs[job.slot]?.id == job && jobs[job.slot]!.key.subject == subject, "a stale job's bytes")
                precondition(fetch.bytes != nil || jobs[job.slot]!.run == nil, "a render without its bytes")
            }
            guard let id = fetch.id else {
                precondition(!fetch.jobs.isEmpty || isHoldingDispatch, "bytes that nobody wants")
                continue
            }
            precondition(fetch.jobs.isEmpty || fetchScheduler.rank(of: id) == rank(of: fetch), "of outdated rank")
            switch fetchScheduler.state(of: id) {
            case .parked: preconditionFailure("a parked fetch")
            case .queued: precondition(fetch.run == nil && fetch.reservation == nil, "a fetch waits and runs")
            case .running, .stopping: precondition(fetch.run != nil && fetch.reservation != nil, "a fetch unpaid")
            }
            if case .running = fetchScheduler.state(of: id) {
                precondition(!fetch.jobs.isEmpty || isHoldingDispatch, "an unwanted fetch runs on")
            }
        }
        precondition(budget.usedByteCount(for: .fetching) == reserved, "reservations of fetches do not add up")
        precondition(fetchScheduler.preemption == nil, "a prefetch's bytes come before visible ones")
    }

    private func checkWindows() {
        var held: [RenditionKey: Int] = [:]
        for window in windows.values {
            for entry in window.entries.values { held[entry.held, default: 0] += 1 }
        }
        precondition(held == holds.mapValues(\.count), "the holds do not add up")
        for key in cache.keys(of: .held) { precondition(holds[key] != nil, "held by nobody") }
        for key in cache.keys(of: .loose) { precondition(holds[key] == nil, "held and yet loose") }
    }
}
