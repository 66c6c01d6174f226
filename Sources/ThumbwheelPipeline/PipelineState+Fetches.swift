import ThumbwheelCore
import ThumbwheelScheduling

// MARK: The progress and the end of fetches

extension PipelineState {
    /// Notes that more bytes of a running fetch have arrived, and tells the waiting requests that want progress
    /// reports.
    package mutating func progressFetch(_ id: JobID, to fraction: Double) {
        guard let (jobs, fraction) = fetches.progress(id, to: fraction) else { return }
        for job in jobs {
            for id in renders[job].subscribers.inOrder { deliverProgress(fraction, to: id) }
        }
    }

    /// Handles the end of a fetch.
    package mutating func finishFetch(_ id: JobID, with outcome: FetchOutcome, at now: MonotonicTime) {
        guard let (fetch, run, reservation) = fetches.endRun(id) else {
            preconditionFailure("a fetch ended that does not run")
        }
        store.release(reservation)
        switch outcome {
        case .bytes(let bytes):
            accounts.fetchFinished(byteCount: bytes.byteCount)
            fetches.arrived(
                bytes, for: fetch, milliseconds: now.milliseconds(since: run.start),
                paidBy: store.reserve(bytes.byteCount, for: .fetching))
            // Memory was reserved for the expected length of the file, but the file may be longer. If the memory in use
            // now exceeds the budget, cached renditions are evicted until it fits again.
            noteDeparted(store.evict(untilFitting: 0, includingWanted: false))
            for job in fetch.jobs { renders.unpark(job) }
        case .failed(let error):
            accounts.fetchFailed()
            fetches.abandon(fetch)
            emit(.release(.work(fetch.work)))
            // Failing one job may end a request that also waits for another job of this fetch. If nothing else wants
            // that other job, it no longer exists then. So each job is looked up before it is failed.
            for id in fetch.jobs where renders.contains(id) { failWaiting(id, error, at: now) }
        case .stopped where fetch.jobs.isEmpty:
            accounts.fetchStopped(isWanted: false)
            fetches.abandon(fetch)
            emit(.release(.work(fetch.work)))
        case .stopped:
            accounts.fetchStopped(isWanted: true)
            fetches.requeue(fetch)
        }
        dispatch(at: now)
    }

    /// Fails the requests of a waiting job. Called if the job's bytes could not be fetched, or if a storage tier (store
    /// on disk) has a record that the job's rendition cannot be made.
    mutating func failWaiting(_ id: JobID, _ error: ImageRequestError, at now: MonotonicTime) {
        let job = renders[id]
        renders.removeQueued(id)
        dismiss(job)
        for subscriber in job.subscribers.inOrder { fail(error, job: job, for: subscriber, at: now) }
    }

    // MARK: Jobs that wait for bytes

    /// Whether a request may use the network. Its options must allow it, and the fetch limit must be above 0.
    ///
    /// - Parameter isAllowed: whether the request's options allow the network.
    func allowsNetwork(_ isAllowed: Bool) -> Bool {
        isAllowed && configuration.fetchLimit > 0
    }

    /// Notes that a job needs the bytes of a fetch, which is added if there is none. If the bytes have yet to arrive,
    /// the job is parked (taken out of the queue) until they do. Does nothing for a job that needs no bytes from the
    /// network.
    mutating func awaitBytes(for id: JobID) {
        let job = renders[id]
        guard let byteCount = job.work.remoteByteCount(for: job.kind) else { return }
        let part = job.filePart
        if source(of: job.key, job.work).isRemote {
            renders.park(id)
            fetches.add(part, work: job.work, byteCount: byteCount, rank: renders.rank(of: id))
        }
        // Skips a job that is still in the queue although its bytes have not arrived. Such a job will be made from a
        // cached rendition, and does not need the fetch.
        guard fetches.bytes(of: part) != nil || renders.state(of: id) == .parked else { return }
        fetches.addJob(id, to: part)
        updateRank(ofFetchFor: job)
    }

    /// Registers a job with the fetch whose bytes the job is about to read, so that the bytes are not dropped. Does
    /// nothing for a job that reads no bytes from the network.
    mutating func retainBytes(for job: Job) {
        if job.readsRemoteBytes { fetches.retainBytes(of: job.filePart, for: job.id) }
    }

    /// Puts jobs that wait for the bytes of a picture back into the queue if they can now be made from a cached
    /// rendition. These jobs are removed from the fetch of the bytes. Requests that may not use the network can then
    /// join them, because they cause no transfer any more.
    mutating func unparkJobsNeedingNoBytes(of picture: RenditionKey.Subject) {
        for fetch in fetches.fetches(of: picture) where fetch.bytes == nil { unparkJobsNeedingNoBytes(of: fetch) }
    }

    private mutating func unparkJobsNeedingNoBytes(of fetch: Fetch) {
        let leaving = fetch.jobs.filter { id in
            let job = renders[id]
            return !source(of: job.key, job.work).isRemote
        }
        guard let last = leaving.last else { return }
        let isWanted = fetches.removeJobs(leaving, from: fetch.part)
        for id in leaving { renders.unpark(id) }
        if isWanted { updateRank(ofFetchFor: renders[last]) }
    }

    /// Ends those requests of a job that may not use the network. They joined the job while it could be made from a
    /// cached rendition. That rendition has left the cache, so the job needs the network now.
    mutating func refuseNetwork(to id: JobID) {
        let asset = renders[id].assetIdentifier
        for subscriber in renders[id].subscribers.inOrder
        where !allowsNetwork(requests[subscriber]?.isNetworkAccessAllowed ?? true) {
            deliverFailure(.networkAccessRequired, to: subscriber, of: asset)
        }
    }

    /// Removes a job that has ended from the fetch of its file.
    mutating func removeFromFetch(_ job: Job) {
        guard job.readsRemoteBytes, fetches.removeJob(job.id, from: job.filePart) else { return }
        updateRank(ofFetchFor: job)
    }

    // MARK: Starting and stopping fetches

    /// Starts the fetches that can start, and stops running fetches that must make way for more urgent ones.
    ///
    /// - Returns: whether a fetch waits for memory.
    mutating func dispatchFetches(at now: MonotonicTime) -> Bool {
        guard !fetches.isEmpty, configuration.fetchLimit > 0 else { return false }
        var hasRoomForSpeculation = true
        var lacksMemory = false
        while let (fetch, rank) = fetches.candidate(includingSpeculative: hasRoomForSpeculation) {
            guard makeRoom(forFetching: fetch, rank: rank) else {
                guard rank.isSpeculative else {
                    lacksMemory = true
                    break
                }
                hasRoomForSpeculation = false
                continue
            }
            accounts.fetchStarted()
            let reservation = store.reserve(fetches.expectedByteCount(of: fetch), for: .fetching)
            if let assignment = fetches.start(fetch, paidBy: reservation, at: now) { emit(.fetch(assignment)) }
        }
        for token in fetches.preempt(forMemory: lacksMemory) { emit(.stopFetch(token)) }
        return lacksMemory || !hasRoomForSpeculation
    }

    /// Drops fetches that no job wants any more: releases their bytes, and stops the running ones. Bytes that an
    /// abandoned run reads stay until its decoder returns, because they take memory for as long.
    mutating func dismissUnwantedFetches() {
        for dismissal in fetches.dismissUnwanted(keeping: renders.partsReadByAbandoned) {
            switch dismissal {
            case .gone(let fetch): releaseValues(of: fetch)
            case .stopping(let token): emit(.stopFetch(token))
            }
        }
    }

    private mutating func releaseValues(of fetch: Fetch) {
        if let bytes = fetch.bytes {
            if let reservation = fetch.reservation { store.release(reservation) }
            emit(.release(.bytes(bytes)))
        }
        emit(.release(.work(fetch.work)))
    }

    // MARK: Dropping fetched bytes to free memory

    /// The fetches whose bytes have arrived and can be dropped: only caching managers want the bytes, and no render is
    /// reading them.
    private var droppableFetches: [Fetch] {
        let partsInUse = renders.partsReadByAbandoned
        return fetches.arrivedParts.compactMap { fetches[$0] }.filter { fetch in
            !fetch.jobs.isEmpty && !partsInUse.contains(fetch.part)
                && fetch.jobs.allSatisfy { renders[$0].run == nil && renders.rank(of: $0).isSpeculative }
        }
    }

    var droppableFetchedByteCount: Int { droppableFetches.reduce(0) { $0 + ($1.reservation?.byteCount ?? 0) } }

    /// Drops fetched bytes that only caching managers want, the least urgent first. Ends when `byteCount` more bytes
    /// fit into the budget, or when no such bytes are left.
    mutating func dropFetchedBytes(untilFitting byteCount: Int) {
        while store.shortage(for: byteCount) > 0, let fetch = leastUrgentDroppableFetch {
            fetches.drop(fetch)
            releaseValues(of: fetch)
            // Makes the jobs that still need the bytes wait for a new fetch. A job that can be made from a cached
            // rendition gets no new fetch, because requests that may not use the network may have joined this job.
            for job in fetch.jobs { awaitBytes(for: job) }
        }
    }

    private var leastUrgentDroppableFetch: Fetch? {
        droppableFetches.compactMap { fetch in rank(of: fetch).map { (fetch: fetch, rank: $0) } }
            .max { $0.rank < $1.rank }?.fetch
    }
}
