import ThumbwheelCore
import ThumbwheelScheduling

// MARK: One decode for several renditions

extension PipelineState {
    /// How often a decode begins again for those who come late; each time costs what it has done.
    private static let mostRestarts = 2

    /// The scale at which a rendition is decoded, in eighths; nil where that is no decode to be shared.
    func decodeEighths(for key: RenditionKey, _ work: RenderWork) -> Int? {
        key.kind == .high || key.kind == .fast ? work.decodeEighths : nil
    }

    /// Whether a rendition's decode has finer chroma than others of its scale: one that is delivered as it is has, at high
    /// quality.
    func hasFineChroma(_ key: RenditionKey, _ work: RenderWork) -> Bool { key.kind == .high && work.isNaturalJPEG }

    /// The most urgent rank among those who want any of the jobs; nil where nobody does.
    func rank(ofAll ids: [JobID]) -> JobRank? {
        var best: JobRank?
        var isAwaited = false
        for id in ids {
            guard let rank = rank(of: jobs[id]) else { continue }
            best = best.map { min($0, rank) } ?? rank
            if !rank.isSpeculative { isAwaited = true }
        }
        return isAwaited ? best?.awaited : best
    }

    /// Parks what is to be made along with a job that is about to start, as far as there is memory for it: the renditions
    /// of the same picture that wait, the most urgent first.
    ///
    /// - Returns: what the decode is shared by, itself included, and the others; nil where it is none to be shared.
    mutating func takeCompanions(of lead: Job) -> (SharedDecode?, [JobID]) {
        guard var decode = sharedDecode(of: lead) else { return (nil, []) }
        var companions: [JobID] = []
        let waiting = jobs.jobs(of: lead.compactKey.asset)
            .filter { $0 != lead.id && isOfSameSubject($0, lead) && scheduler.state(of: $0) == .queued }
            .map { (id: $0, rank: scheduler.rank(of: $0)) }
            .sorted { $0.rank < $1.rank }
        for (id, rank) in waiting {
            let job = jobs[id]
            guard let addition = sharedDecode(of: job), !needsNetwork(for: job.key, job.work),
                let joint = decode.joined(by: addition), makeRoom(for: predictedByteCount(of: lead, joint), rank: rank)
            else { continue }
            decode = joint
            companions.append(id)
            scheduler.park(id)
            jobs[id].lead = lead.id
        }
        return (decode, companions)
    }

    /// Has a decode that has only just begun begin again, where it can be made to serve a job that has come late as well.
    mutating func joinRunningDecode(_ id: JobID, at now: MonotonicTime) {
        guard jobs.contains(id), case let job = jobs[id], jobs.hasSiblings(job),
            scheduler.state(of: id) == .queued,
            let addition = sharedDecode(of: job), !addition.isSpeculative
        else { return }
        for lead in jobs.jobs(of: job.compactKey.asset) where isOfSameSubject(lead, job) {
            guard let run = jobs[lead].run, run.decode?.joined(by: addition) != nil, canRestart(lead, at: now)
            else { continue }
            scheduler.park(id)
            jobs[id].lead = lead
            jobs[lead].run!.latecomers.append(id)
            updateRank(of: id)
            if case .running = scheduler.state(of: lead) { tellToStop(lead, run, restarts: true) }
            return
        }
    }

    /// Whether little is lost when a running job begins again: less than a quarter of what it is predicted to take.
    private func canRestart(_ id: JobID, at now: MonotonicTime) -> Bool {
        let job = jobs[id]
        guard let run = job.run, job.restartCount < Self.mostRestarts, job.work.isStoppable(for: job.key.kind) else {
            return false
        }
        if case .running = scheduler.state(of: id) {
            return now.milliseconds(since: run.start) * 4 < job.work.predictedMilliseconds
        }
        return !run.latecomers.isEmpty
    }

    /// Lets go of jobs that waited for the decode of another: they wait for one of their own.
    ///
    /// - Parameter lead: the job that begins again, and they with it; nil where none does.
    mutating func release(_ ids: [JobID], countingRestartOf lead: Job? = nil) {
        for id in ids {
            jobs[id].lead = nil
            scheduler.unpark(id)
            if let lead { jobs[id].restartCount = lead.restartCount + 1 }
            updateRank(of: id)
        }
        if let lead, jobs.contains(lead.id) { jobs[lead.id].restartCount += 1 }
    }

    private func isOfSameSubject(_ id: JobID, _ job: Job) -> Bool {
        jobs[id].compactKey.isOfSameSubject(as: job.compactKey)
    }

    private func sharedDecode(of job: Job) -> SharedDecode? {
        guard let eighths = decodeEighths(for: job.key, job.work),
            input(for: job.key, job.work) == nil
        else { return nil }
        return SharedDecode(
            kind: job.key.kind, eighths: eighths, hasFineChroma: hasFineChroma(job.key, job.work),
            isFile: job.key.encoding != nil,
            isSpeculative: scheduler.rank(of: job.id).isSpeculative,
            outputByteCount: job.work.outputByteCount,
            workingByteCount: job.work.predictedByteCount(for: job.key.kind) - job.work.outputByteCount)
    }
}

extension PipelineState.Job {
    /// Whether its rank is not its own alone.
    var isInCompany: Bool {
        lead != nil || run.map { !$0.members.isEmpty } ?? false
    }
}
