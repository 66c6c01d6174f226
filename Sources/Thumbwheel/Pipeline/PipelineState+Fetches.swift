import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Bytes that come over a network

extension PipelineState {
    /// The bytes of one subject, on their way or here: one fetch serves all renditions made of them.
    ///
    /// Jobs whose bytes are not here are parked, so that no worker ever waits for a network. Fetches are jobs of a scheduler
    /// of their own, whose workers are the fetches that may run at once.
    struct Fetch {
        let subject: RenditionKey.Subject
        let work: RenderWork
        /// In `fetchScheduler`; nil once the bytes are here.
        var id: JobID?
        /// The renders that wait for the bytes or read them.
        var jobs: [JobID] = []
        /// Set while the fetch runs.
        var run: Run?
        var bytes: FetchedBytes?
        /// What it took to bring them.
        var milliseconds = 0.0
        /// For the bytes that are coming or here.
        var reservation: Reservation?
        /// What has been told of the progress.
        var fraction = 0.0

        struct Run {
            let token: CancellationToken
            let start: MonotonicTime
        }
    }

    /// The least progress that is worth telling.
    private static let progressStep = 0.01

    // MARK: Events

    /// More of the bytes of a running fetch are here. Late news are no news.
    package mutating func progressFetch(_ id: JobID, to fraction: Double) {
        guard let subject = subject(ofFetch: id), let fetch = fetches[subject], fetch.run != nil else { return }
        let fraction = min(fraction, 1)
        guard fraction >= fetch.fraction + Self.progressStep || (fraction == 1 && fetch.fraction < 1) else { return }
        fetches[subject]!.fraction = fraction
        for job in fetch.jobs {
            for id in jobs[job].subscribers.inOrder { deliverProgress(fraction, to: id) }
        }
    }

    /// A fetch reports how it ended.
    package mutating func finishFetch(_ id: JobID, with outcome: FetchOutcome, at now: MonotonicTime) {
        guard let subject = subject(ofFetch: id), let fetch = fetches[subject], let run = fetch.run else {
            preconditionFailure("a fetch ended that does not run")
        }
        fetches[subject]!.run = nil
        budget.release(fetch.reservation!)
        fetches[subject]!.reservation = nil
        switch outcome {
        case .bytes(let bytes):
            counts.fetches.finished += 1
            counts.fetches.byteCount += bytes.byteCount
            if fetch.work.remoteByteCount! <= 0 { noteUnknownLength(bytes.byteCount) }
            fetchScheduler.finish(id)
            fetches[subject]!.id = nil
            fetches[subject]!.bytes = bytes
            fetchedSubjects.append(subject)
            fetches[subject]!.milliseconds = now.milliseconds(since: run.start)
            fetches[subject]!.reservation = budget.reserve(bytes.byteCount, for: .fetching)
            // They may be more than was expected.
            evict(untilFitting: 0, includingHeld: false)
            for job in fetch.jobs { scheduler.unpark(job) }
            if fetch.jobs.isEmpty { unwantedFetches.append(subject) }
        case .failed(let error):
            counts.fetches.failed += 1
            fetchScheduler.finish(id)
            remove(fetch)
            for id in fetch.jobs { failWaiting(id, error, at: now) }
        case .stopped:
            if fetch.jobs.isEmpty {
                counts.fetches.stopped += 1
                fetchScheduler.finish(id)
                remove(fetch)
            } else {
                counts.fetches.preempted += 1
                // It had to make way, or is wanted again since it was told to stop.
                fetches[subject]!.fraction = 0
                fetchScheduler.requeue(id)
            }
        }
        dispatch(at: now)
    }

    // MARK: Who waits for what

    /// Whether a rendition cannot be made without bytes that are elsewhere. Degraded images are made of local bytes only, and
    /// what is made of a cached rendition needs none.
    func needsNetwork(for key: RenditionKey, _ work: RenderWork) -> Bool {
        guard readsRemoteBytes(key, work), fetches[key.subject]?.bytes == nil else { return false }
        return input(for: key, work) == nil
    }

    /// Whether the request may use the network; with a fetch limit of 0, none may.
    ///
    /// - Parameter isAllowed: whether its options say so.
    func allowsNetwork(_ isAllowed: Bool) -> Bool {
        isAllowed && configuration.fetchLimit > 0
    }

    /// Ties a job to the bytes that it needs from elsewhere, and parks it until they are here.
    mutating func awaitBytes(for id: JobID) {
        let job = jobs[id]
        guard readsRemoteBytes(job.key, job.work) else { return }
        let subject = job.key.subject
        if needsNetwork(for: job.key, job.work) {
            scheduler.park(id)
            if fetches[subject] == nil {
                let fetch = fetchScheduler.add(rank: scheduler.rank(of: id))
                while fetchSubjects.count <= fetch.slot { fetchSubjects.append(nil) }
                fetchSubjects[fetch.slot] = subject
                fetches[subject] = Fetch(subject: subject, work: job.work, id: fetch)
            }
        }
        // A job that needs no bytes is not tied to those that are only coming.
        guard let fetch = fetches[subject], fetch.bytes != nil || scheduler.state(of: id) == .parked else { return }
        fetches[subject]!.jobs.append(id)
        updateRank(ofFetchFor: job)
    }

    /// Unparks the jobs that wait for a subject's bytes and can now be made of a cached rendition instead. They must
    /// leave the fetch: requests that join them from now on may not use the network.
    mutating func unparkWhatNeedsNoBytes(of subject: RenditionKey.Subject) {
        guard let fetch = fetches[subject], fetch.bytes == nil else { return }
        // Taken out together: one by one, each would be searched for among thousands of tiles of one picture.
        let leaving = fetch.jobs.filter { id in
            let job = jobs[id]
            return !needsNetwork(for: job.key, job.work)
        }
        guard let last = leaving.last else { return }
        let gone = Set(leaving)
        fetches[subject]!.jobs.removeAll { gone.contains($0) }
        for id in leaving { scheduler.unpark(id) }
        if fetches[subject]!.jobs.isEmpty {
            unwantedFetches.append(subject)
        } else {
            updateRank(ofFetchFor: jobs[last])
        }
    }

    /// Ties a job to bytes that are here and that it is about to read: it may have waited for pixels that are gone.
    mutating func keepBytes(for id: JobID) {
        let job = jobs[id]
        guard let fetch = fetch(for: job), fetch.bytes != nil, !fetch.jobs.contains(id) else { return }
        fetches[fetch.subject]!.jobs.append(id)
    }

    /// Ends the requests that may not use the network and whose job turns out to need it: what it was to be made of has
    /// left the cache.
    mutating func refuseNetwork(to id: JobID) {
        let asset = jobs[id].compactKey.asset
        for subscriber in jobs[id].subscribers.inOrder
        where !allowsNetwork(requests[subscriber]?.isNetworkAccessAllowed ?? true) {
            deliverFailure(.networkAccessRequired, to: subscriber, of: asset)
        }
    }

    /// Gives the fetch for a job the rank of the most urgent job that waits for it.
    mutating func updateRank(ofFetchFor job: Job) {
        guard readsRemoteBytes(job.key, job.work), let fetch = fetches[job.key.subject], let id = fetch.id
        else { return }
        if let rank = rank(of: fetch) { fetchScheduler.setRank(rank, of: id) }
    }

    /// Unties a job that is over. The bytes are looked at once the event is: another job may want them by then.
    mutating func leaveFetch(_ job: Job) {
        let subject = job.key.subject
        guard readsRemoteBytes(job.key, job.work), let fetch = fetches[subject],
            let index = fetch.jobs.firstIndex(of: job.id)
        else { return }
        fetches[subject]!.jobs.remove(at: index)
        if fetch.jobs.count == 1 { unwantedFetches.append(subject) } else { updateRank(ofFetchFor: job) }
    }

    /// What has come for a job's subject; nil for a job that reads what is at hand.
    func fetch(for job: Job) -> Fetch? { readsRemoteBytes(job.key, job.work) ? fetches[job.key.subject] : nil }

    /// The most urgent rank among a fetch's jobs; nil where it has none.
    func rank(of fetch: Fetch) -> JobRank? {
        let ranks = fetch.jobs.lazy.map { scheduler.rank(of: $0) }
        guard var rank = ranks.min() else { return nil }
        // A window may want the bytes more, and yet a request waits for them.
        if !ranks.allSatisfy(\.isSpeculative) { rank = rank.awaited }
        // Whatever decodes them.
        rank.isStoppable = true
        return rank
    }

    private func readsRemoteBytes(_ key: RenditionKey, _ work: RenderWork) -> Bool {
        work.remoteByteCount != nil && key.kind != .preview
    }

    private func subject(ofFetch id: JobID) -> RenditionKey.Subject? {
        guard id.slot < fetchSubjects.count, let subject = fetchSubjects[id.slot], fetches[subject]?.id == id
        else { return nil }
        return subject
    }

    // MARK: Running

    /// Starts what can start, and stops what has to make way.
    /// - Returns: whether a fetch waits for memory.
    mutating func dispatchFetches(at now: MonotonicTime) -> Bool {
        guard !fetches.isEmpty, configuration.fetchLimit > 0 else { return false }
        var hasRoomForSpeculation = true
        var lacksMemory = false
        while let id = fetchScheduler.candidate(includingSpeculative: hasRoomForSpeculation) {
            let subject = fetchSubjects[id.slot]!
            guard makeRoom(forFetching: fetches[subject]!, rank: fetchScheduler.rank(of: id)) else {
                guard fetchScheduler.rank(of: id).isSpeculative else {
                    lacksMemory = true
                    break
                }
                hasRoomForSpeculation = false
                continue
            }
            _ = fetchScheduler.start(id)
            counts.fetches.started += 1
            let work = fetches[subject]!.work
            let token = CancellationToken()
            fetches[subject]!.run = Fetch.Run(token: token, start: now)
            fetches[subject]!.reservation = budget.reserve(expectedByteCount(of: fetches[subject]!), for: .fetching)
            emit(.fetch(FetchAssignment(id: id, subject: subject, work: work, token: token)))
        }
        while let id = fetchScheduler.preemption { stopFetch(id) }
        if lacksMemory, let id = fetchScheduler.preemptionForMemory { stopFetch(id) }
        return lacksMemory || !hasRoomForSpeculation
    }

    /// Lets go of bytes that no job wants any more, and stops their coming.
    mutating func forgetUnwantedFetches() {
        for subject in unwantedFetches {
            guard let fetch = fetches[subject], fetch.jobs.isEmpty else { continue }
            guard let id = fetch.id else {
                release(fetch)
                remove(fetch)
                continue
            }
            switch fetchScheduler.state(of: id) {
            case .queued, .parked:
                fetchScheduler.removeQueued(id)
                remove(fetch)
            case .running: stopFetch(id)
            case .stopping: break
            }
        }
        unwantedFetches = []
    }

    private mutating func remove(_ fetch: Fetch) {
        emit(.releaseWork(fetch.work))
        fetches[fetch.subject] = nil
    }

    private mutating func stopFetch(_ id: JobID) {
        fetchScheduler.stop(id)
        emit(.stopFetch(fetches[fetchSubjects[id.slot]!]!.run!.token))
    }

    /// Bytes that are here, that only windows want, and that no render reads.
    private var spareFetches: [Fetch] {
        fetchedSubjects.lazy.map { fetches[$0]! }.filter { fetch in
            !fetch.jobs.isEmpty
                && fetch.jobs.allSatisfy { jobs[$0].run == nil && scheduler.rank(of: $0).isSpeculative }
        }
    }

    var spareFetchedByteCount: Int { spareFetches.reduce(0) { $0 + $1.reservation!.byteCount } }

    /// Gives up bytes that can be spared, the farthest away first, until `byteCount` bytes fit or there are no more.
    mutating func giveUpFetchedBytes(untilFitting byteCount: Int) {
        while budget.shortage(for: byteCount) > 0,
            let fetch = spareFetches.max(by: { rank(of: $0)! < rank(of: $1)! })
        {
            giveUp(fetch)
        }
    }

    private mutating func giveUp(_ fetch: Fetch) {
        release(fetch)
        remove(fetch)
        // Jobs that can be made of cached renditions by now leave the fetch: requests that join them may not use the
        // network.
        for job in fetch.jobs { awaitBytes(for: job) }
    }

    private mutating func release(_ fetch: Fetch) {
        if let index = fetchedSubjects.firstIndex(of: fetch.subject) { fetchedSubjects.remove(at: index) }
        budget.release(fetch.reservation!)
        emit(.releaseBytes(fetch.bytes!))
    }
}
