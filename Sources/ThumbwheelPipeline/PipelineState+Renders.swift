import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

// MARK: Starting and stopping renders

extension PipelineState {
    /// The source from which a rendition would be made at this moment, for example the photograph or a larger cached
    /// rendition.
    func source(of key: RenditionKey, _ work: RenderWork) -> RenderSource {
        if let input = store.input(for: key, work) { return .rendition(input) }
        guard work.readsRemoteBytes(for: key.kind) else { return .photograph }
        let part = FilePart(key.subject, work.fetchExtent(of: key))
        return fetches.bytes(of: part).map { .fetched($0) } ?? .remote
    }

    /// Starts the jobs and fetches that can start, and stops running jobs and fetches that must make way for more
    /// urgent ones.
    mutating func dispatch(at now: MonotonicTime) {
        defer { stampEvents(at: now) }
        guard !isInBatch else { return }
        endRefused(at: now)
        abandonUnstoppable(at: now)
        // Unwanted fetches are dismissed first, because other work may wait for the memory that they take.
        dismissUnwantedFetches()
        dispatchLookUps(at: now)
        var hasRoomForSpeculation = true
        var lacksMemory = false
        while let id = renders.candidate(includingSpeculative: hasRoomForSpeculation) {
            let job = renders[id]
            let key = job.key
            let source = source(of: key, job.work)
            guard !source.isRemote else {
                refuseNetwork(to: id)
                // `refuseNetwork` has ended the requests that may not use the network. If no other request and no
                // caching manager wants the job, it no longer exists. Otherwise it waits for its bytes.
                if renders.contains(id) { awaitBytes(for: id) }
                continue
            }
            // The input counts as used from here on. Otherwise the search for memory might evict the input before other
            // renditions, although its own render is about to read it.
            if let input = source.input { store.touch(input) }
            guard makeRoom(forRunning: job, from: source) else {
                // There is no room for the job. If only caching managers want it, it stays in the queue, and the loop
                // goes on with jobs that requests wait for. Otherwise the loop ends.
                guard renders.rank(of: id).isSpeculative else {
                    lacksMemory = true
                    break
                }
                hasRoomForSpeculation = false
                continue
            }
            guard stillExists(source, for: job) else { continue }
            start(job, key, from: source, at: now)
        }
        while let id = renders.preemption { preempt(id) }
        if lacksMemory, let id = renders.preemptionForMemory { preempt(id) }
        let fetchesLackMemory = dispatchFetches(at: now)
        packColdest()
        watchMemory(isLacking: lacksMemory || !hasRoomForSpeculation || fetchesLackMemory, at: now)
    }

    /// Whether the source of a render still exists after memory has been freed for the render. Freeing memory may have
    /// evicted the source itself.
    private func stillExists(_ source: RenderSource, for job: Job) -> Bool {
        switch source {
        case .rendition(let input): store.isCached(input)
        case .photograph: true
        case .fetched: fetches.bytes(of: job.filePart) != nil
        case .remote: false
        }
    }

    private mutating func preempt(_ id: JobID) {
        if let packing = renders.packing, packing.id == id {
            renders.stop(id)
            emit(.stop(packing.token))
        } else if let run = renders[id].run {
            tellToStop(id, run)
        }
    }

    private mutating func start(_ job: Job, _ key: RenditionKey, from source: RenderSource, at now: MonotonicTime) {
        let id = job.id
        let (decode, companions) = takeCompanions(of: job, from: source)
        if let input = source.input {
            store.beginReading(input)
        } else {
            retainBytes(for: job)
            for companion in companions { retainBytes(for: renders[companion]) }
        }
        let reservation = store.reserve(predictedByteCount(of: job, from: source, sharing: decode), for: .rendering)
        let run = renders.start(
            id, from: source, sharing: decode, with: companions, paidBy: reservation,
            alarm: addTimeLimit(for: id, at: now), at: now)
        if !companions.isEmpty { updateRank(of: id) }
        accounts.renderStarted(
            PipelineEvent.Render(
                number: run.renderNumber, worker: run.worker, asset: key.subject.asset,
                kind: PipelineEvent.Render.Kind(key.kind), targetSize: key.options.targetSize,
                priority: renders.rank(of: id).priority))
        emit(
            .start(
                RenderAssignment(
                    worker: run.worker, job: id, key: key, companions: companions.map { renders[$0].key },
                    work: job.work, source: source, token: run.token)))
    }

    /// Tells a running job to stop.
    ///
    /// - Parameter restarts: whether the job begins again as soon as it has stopped. Its worker is then not free for
    ///   another job.
    mutating func tellToStop(_ id: JobID, _ run: Job.Run, restarts: Bool = false) {
        renders.stop(id, restarts: restarts)
        accounts.renderToldToStop(run)
        emit(.stop(run.token))
    }

    // MARK: One decode for several renditions

    /// Finds queued jobs whose renditions can be made by the decode for `lead`, a job that is about to start. They are
    /// jobs for the same picture, and the most urgent ones are tried first. A job for which there is no memory stays in
    /// the queue. The chosen jobs are parked: they leave the queue and wait for the decode.
    ///
    /// - Returns: two values. The first is one decode for `lead` and all parked jobs together, or nil if the decode of
    ///   `lead` cannot be shared. The second is the list of the parked jobs.
    private mutating func takeCompanions(of lead: Job, from source: RenderSource) -> (SharedDecode?, [JobID]) {
        guard var decode = sharedDecode(of: lead, from: source) else { return (nil, []) }
        var companions: [JobID] = []
        for (id, rank) in renders.companionCandidates(for: lead) {
            let job = renders[id]
            let source = self.source(of: job.key, job.work)
            guard let addition = sharedDecode(of: job, from: source), !source.isRemote,
                let joint = decode.joined(with: addition),
                makeRoom(
                    for: renders.predictedByteCount(of: lead.work, for: lead.kind, sharing: joint), rank: rank)
            else { continue }
            decode = joint
            companions.append(id)
            renders.join(id, to: lead.id)
        }
        return (decode, companions)
    }

    /// Restarts a running decode so that it also serves the new job `id` for the same picture. Does so only if one
    /// decode can serve both jobs and little work is lost.
    mutating func joinRunningDecode(_ id: JobID, at now: MonotonicTime) {
        guard renders.contains(id), case let job = renders[id], renders.hasSiblings(job),
            renders.state(of: id) == .queued,
            let addition = sharedDecode(of: job, from: source(of: job.key, job.work)), !addition.isSpeculative,
            let lead = renders.decodeToRestart(for: job, joining: addition, at: now), let run = renders[lead].run
        else { return }
        renders.joinLate(id, to: lead)
        updateRank(of: id)
        if renders.isRunning(lead) { tellToStop(lead, run, restarts: true) }
    }

    /// Puts jobs that waited for another job's decode back into the queue.
    ///
    /// - Parameter lead: the job whose decode is restarted to make the renditions of these jobs as well; nil if no
    ///   decode is restarted. A restart raises the `restartCount` of `lead` by 1. These jobs get the same count, so
    ///   that the limit on restarts holds whichever of them leads the next decode.
    mutating func requeueMembers(_ ids: [JobID], countingRestartOf lead: Job? = nil) {
        for id in ids {
            renders.requeueMember(id, restartCount: lead.map { $0.restartCount + 1 })
            updateRank(of: id)
        }
        if let lead, renders.contains(lead.id) { renders.countRestart(of: lead.id) }
    }

    private func sharedDecode(of job: Job, from source: RenderSource) -> SharedDecode? {
        guard let eighths = job.decodeEighths, source.input == nil else { return nil }
        return SharedDecode(
            kind: job.kind, pixelRange: job.key.options.pixelRange, eighths: eighths,
            hasFineChroma: job.hasFineChroma, hasFile: job.key.encoding != nil,
            isSpeculative: renders.rank(of: job.id).isSpeculative, outputByteCount: job.work.outputByteCount,
            workingByteCount: job.work.predictedByteCount(for: job.kind) - job.work.outputByteCount,
            extent: job.readsRemoteBytes ? job.filePart.extent : .whole)
    }
}
