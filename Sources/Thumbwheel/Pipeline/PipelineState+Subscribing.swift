import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Who wants which rendition, and how urgently

extension PipelineState {
    /// Has `id` wait for a rendition, in a job that exists or a new one.
    mutating func subscribe(_ id: ImageRequestID, to key: RenditionKey, work: RenderWork) -> JobID {
        var rank = rank(of: id, for: key.kind)
        guard let job = jobs[key] else {
            if let hold = holds[key]?.rank.awaited { rank = min(rank, hold) }
            return addJob(for: key, work: work, rank: rank, subscribers: Subscribers(id))
        }
        counts.requests.coalesced += 1
        note(.requestCoalesced(id))
        // Not `updateRank`, which looks at all subscribers: joining costs the same whatever their number.
        let others = jobs[job].subscribers.isEmpty ? holds[key]?.rank.awaited : scheduler.rank(of: job)
        if let others { rank = min(rank, others) }
        addSubscriber(id, to: job)
        guard !jobs[job].isInCompany else {
            updateRank(of: job)
            return job
        }
        scheduler.setRank(rank, of: job)
        updateRank(ofFetchFor: jobs[job])
        return job
    }

    mutating func unsubscribe(_ id: ImageRequestID, from job: JobID) {
        guard jobs.contains(job), jobs[job].subscribers.remove(id) else { return }
        // Only where the leaving subscriber was the most urgent of all, or the last, does the rank change.
        let isLast = jobs[job].subscribers.isEmpty
        if isLast || scheduler.rank(of: job) == rank(of: id, for: jobs[job].kind) { updateRank(of: job) }
    }

    private mutating func addSubscriber(_ id: ImageRequestID, to job: JobID) {
        let (requests, kind) = (requests, jobs[job].kind)
        jobs[job].subscribers.append(id) { [weighsCost = configuration.weighsCost] in
            requests[slot: requests.slot(of: $0)!].rank(for: kind, weighingCost: weighsCost)
        }
    }

    /// Records the new rank of a request whose priority or urgency has changed.
    mutating func updateRank(of id: ImageRequestID, in job: JobID) {
        let rank = rank(of: id, for: jobs[job].kind)
        jobs[job].subscribers.setRank(rank, of: id)
        updateRank(of: job)
    }

    @discardableResult
    mutating func addJob(
        for key: RenditionKey, work: RenderWork, rank: JobRank, subscribers: Subscribers = Subscribers()
    ) -> JobID {
        let id = scheduler.add(rank: rank)
        jobs.insert(id, for: key, work: work, subscribers: subscribers)
        awaitBytes(for: id)
        return id
    }

    /// Gives a job the rank of the most urgent of those who want it; drops or stops it where nobody does.
    mutating func updateRank(of id: JobID) {
        let job = jobs[id]
        if let lead = job.lead {
            if let rank = rank(of: job) { scheduler.setRank(rank, of: id) }
            updateRank(of: lead)
            return
        }
        if let rank = job.run.map({ rank(ofAll: [id] + $0.members) }) ?? rank(of: job) {
            scheduler.setRank(rank, of: id)
            updateRank(ofFetchFor: job)
            return
        }
        if let run = job.run {
            if case .running = scheduler.state(of: id) { tellToStop(id, run) }
        } else {
            scheduler.removeQueued(id)
            forget(job)
        }
    }

    /// The most urgent rank among a job's subscribers and windows; nil where it has none.
    func rank(of job: Job) -> JobRank? {
        let hold = holds[job.key]?.rank
        // A window may want it more, and yet a request waits for it.
        var best = job.subscribers.isEmpty ? hold : hold?.awaited
        if let least = job.subscribers.leastRankOfCrowd { return best.map { min($0, least) } ?? least }
        for subscriber in job.subscribers.inOrder {
            let rank = rank(of: subscriber, for: job.kind)
            if best.map({ rank < $0 }) ?? true { best = rank }
        }
        return best
    }

    func rank(of id: ImageRequestID, for kind: RenditionKey.Kind) -> JobRank {
        requests[slot: requests.slot(of: id)!].rank(for: kind, weighingCost: configuration.weighsCost)
    }
}

extension JobRank {
    /// The same for a job that somebody waits for.
    var awaited: JobRank {
        var rank = self
        rank.isSpeculative = false
        return rank
    }
}
