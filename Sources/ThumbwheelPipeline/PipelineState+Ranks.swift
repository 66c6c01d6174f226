import ThumbwheelScheduling

// MARK: Requests that wait for jobs, and the ranks of jobs

extension PipelineState {
    /// Makes a request wait for the job that makes a rendition, and adds the job if there is none.
    mutating func subscribe(_ id: ImageRequestID, to key: RenditionKey, work: RenderWork) -> JobID {
        var rank = requests.rank(of: id, for: key.kind)
        guard let job = renders[key] else {
            if let wish = windows.rank(of: key)?.awaited { rank = min(rank, wish) }
            return addJob(for: key, work: work, rank: rank, subscribers: Subscribers(id))
        }
        accounts.requestCoalesced(id)
        // Computes the job's new rank, which is its place in the order of work, from the job's old rank and the new
        // subscriber's rank alone. `updateRank` is not called, because it goes through all subscribers of the job. With
        // many subscribers, that would take long each time one is added.
        let others = renders[job].subscribers.isEmpty ? windows.rank(of: key)?.awaited : renders.rank(of: job)
        if let others { rank = min(rank, others) }
        let (requests, kind) = (requests, key.kind)
        renders.addSubscriber(id, to: job) { requests.rank(of: $0, for: kind) }
        guard !renders[job].sharesDecode else {
            updateRank(of: job)
            return job
        }
        setRank(rank, of: job)
        updateRank(ofFetchFor: renders[job])
        return job
    }

    private mutating func setRank(_ rank: JobRank, of id: JobID) {
        renders.setRank(rank, of: id)
        if !lookUps.isEmpty { lookUps.setRank(rank, of: id) }
    }

    mutating func unsubscribe(_ id: ImageRequestID, from job: JobID) {
        guard renders.contains(job), renders.removeSubscriber(id, from: job) else { return }
        // The job's rank (place in the order of work) changes only if the request that leaves was the most urgent one,
        // or if no request is left.
        let isLast = renders[job].subscribers.isEmpty
        if isLast || renders.rank(of: job) == requests.rank(of: id, for: renders[job].kind) { updateRank(of: job) }
    }

    /// Updates a job after a request that waits for it has got a new rank (place in the order of work). The new rank is
    /// stored in the job, and may change the job's own rank.
    mutating func updateRank(of id: ImageRequestID, in job: JobID) {
        renders.setRank(requests.rank(of: id, for: renders[job].kind), ofSubscriber: id, of: job)
        updateRank(of: job)
    }

    @discardableResult
    mutating func addJob(
        for key: RenditionKey, work: RenderWork, rank: JobRank, subscribers: Subscribers = Subscribers()
    ) -> JobID {
        let id = renders.add(key, work: work, rank: rank, subscribers: subscribers)
        if !endSoon(id), !beginLookUp(for: id) { awaitBytes(for: id) }
        return id
    }

    /// Gives a job the rank (place in the order of work) of the most urgent request or caching manager that wants it.
    /// If no request and no caching manager wants it, the job is dropped or stopped.
    mutating func updateRank(of id: JobID) {
        let job = renders[id]
        if let lead = job.lead {
            if let rank = rank(of: job) { renders.setRank(rank, of: id) }
            updateRank(of: lead)
            return
        }
        if let rank = job.run.map({ rank(ofAll: [id] + $0.members) }) ?? rank(of: job) {
            setRank(rank, of: id)
            updateRank(ofFetchFor: job)
            return
        }
        if let run = job.run {
            if renders.isRunning(id) { tellToStop(id, run) }
        } else {
            renders.removeQueued(id)
            dismiss(job)
        }
    }

    /// The most urgent rank (place in the order of work) among the requests and caching managers that want a job; nil
    /// if there are none.
    func rank(of job: Job) -> JobRank? {
        let wish = windows.rank(of: job.key)
        // `wish` is the rank that caching windows give to the job. It is marked as speculative, which means that only
        // caching managers want the job. If a request waits for the job too, `awaited` removes this mark. Otherwise the
        // job would count as speculative whenever `wish` is the most urgent rank.
        var best = job.subscribers.isEmpty ? wish : wish?.awaited
        if let least = job.subscribers.leastRankOfCrowd { return best.map { min($0, least) } ?? least }
        for subscriber in job.subscribers.inOrder {
            let rank = requests.rank(of: subscriber, for: job.kind)
            if best.map({ rank < $0 }) ?? true { best = rank }
        }
        return best
    }

    /// The most urgent rank (place in the order of work) among the requests and caching managers that want any of the
    /// jobs; nil if there are none.
    func rank(ofAll ids: [JobID]) -> JobRank? {
        var best: JobRank?
        var isAwaited = false
        for id in ids {
            guard let rank = rank(of: renders[id]) else { continue }
            best = best.map { min($0, rank) } ?? rank
            if !rank.isSpeculative { isAwaited = true }
        }
        return isAwaited ? best?.awaited : best
    }

    /// Gives the fetch of a job's bytes the rank (place in the order of work) of the most urgent job that waits for
    /// these bytes.
    mutating func updateRank(ofFetchFor job: Job) {
        guard job.readsRemoteBytes, let fetch = fetches[job.filePart], fetch.id != nil,
            let rank = rank(of: fetch)
        else { return }
        fetches.setRank(rank, of: fetch.part)
    }

    /// The most urgent rank (place in the order of work) among a fetch's jobs; nil if it has no jobs.
    func rank(of fetch: Fetch) -> JobRank? { FetchBoard.rank(forJobsOf: fetch.jobs.lazy.map { renders.rank(of: $0) }) }
}

extension JobRank {
    /// The same rank, but marked as the rank of a job that a request waits for.
    var awaited: JobRank {
        var rank = self
        rank.isSpeculative = false
        return rank
    }
}
