import ThumbwheelCore
import ThumbwheelScheduling

/// The fetches of files over a network: fetches that wait for their turn, fetches that run, and fetches whose bytes
/// have arrived.
///
/// One fetch serves all renditions that are made of the same bytes. The fetches have a scheduler of their own, of the
/// same type as the scheduler of renders. Its "workers" are not threads: their number is the number of fetches that may
/// run at once. The board knows render jobs by their identifiers only. `PipelineState` tells it how urgent they are,
/// and reserves the memory for the bytes.
struct FetchBoard: Sendable {
    private let byteLimit: Int
    private var scheduler: Scheduler
    private var fetches: [FilePart: Fetch] = [:]
    /// For each picture, the parts of its file that have a fetch of their own. A fetch of the whole file is not in this
    /// list.
    private var partialExtents: [RenditionKey.Subject: [FetchExtent]] = [:]
    /// The file part of each fetch; the index is the slot number in the fetch's identifier. The part of a fetch that is
    /// over stays in this array until another fetch gets the same slot. `part(of:)` ignores it.
    private var partsBySlot: [FilePart?] = []
    /// The file parts whose bytes have arrived, so that they are found without a search through `fetches`. They are
    /// few, because all their bytes must fit into the memory budget, while thousands of other fetches may still wait.
    private(set) var arrivedParts: [FilePart] = []
    /// The file parts whose fetch has lost its last job during the current event, or whose bytes an abandoned run still
    /// reads. If no other job wants such a fetch at the end of the event, it is dropped.
    private var unwanted: [FilePart] = []
    /// The assumed length of a file of unknown length, in bytes; the initial value is that of a typical camera file.
    private(set) var assumedByteCount = 8 << 20

    /// Progress is reported to requests in steps of at least this fraction of the file.
    private static let progressStep = 0.01

    /// - Parameters:
    ///   - limit: the number of fetches that may run at once.
    ///   - byteLimit: the length, in bytes, of the longest file that is fetched.
    init(limit: Int, byteLimit: Int) {
        scheduler = Scheduler(workerCount: max(1, limit))
        self.byteLimit = byteLimit
    }

    // MARK: Finding fetches and their bytes

    var isEmpty: Bool { fetches.isEmpty }
    var queuedCount: Int { scheduler.queuedCount }
    var runningCount: Int { scheduler.runningCount }

    subscript(part: FilePart) -> Fetch? { fetches[part] }

    func contains(_ part: FilePart) -> Bool { fetches[part] != nil }

    /// The fetches for a picture: of its whole file and of parts of the file.
    func fetches(of picture: RenditionKey.Subject) -> [Fetch] {
        let whole = fetches[FilePart(picture)].map { [$0] } ?? []
        guard let extents = partialExtents[picture] else { return whole }
        return whole + extents.compactMap { fetches[FilePart(picture, $0)] }
    }

    /// The bytes of a file or of a part of it; nil if they have not arrived.
    func bytes(of part: FilePart) -> FetchedBytes? { fetches[part]?.bytes }

    /// The file part of the fetch with the identifier `id`; nil once its bytes have arrived or the fetch has been
    /// dropped.
    func part(of id: JobID) -> FilePart? {
        guard id.slot < partsBySlot.count, let part = partsBySlot[id.slot], fetches[part]?.id == id else {
            return nil
        }
        return part
    }

    /// The expected length of a file that has not been fetched yet, in bytes.
    ///
    /// A file that is longer than the byte limit counts as 0, because it is refused before its first byte is fetched.
    /// If the length is unknown, it is assumed to be `assumedByteCount`. This number is estimated from earlier files
    /// whose length was unknown until they had arrived.
    func expectedByteCount(of fetch: Fetch) -> Int {
        if fetch.byteCount > byteLimit { return 0 }
        return fetch.byteCount > 0 ? fetch.byteCount : min(assumedByteCount, byteLimit)
    }

    // MARK: Queuing fetches, and the jobs that wait for them

    /// Queues a fetch of a file or a part of it, unless there is such a fetch already.
    mutating func add(_ part: FilePart, work: RenderWork, byteCount: Int, rank: JobRank) {
        guard fetches[part] == nil else { return }
        let id = scheduler.add(rank: rank)
        while partsBySlot.count <= id.slot { partsBySlot.append(nil) }
        partsBySlot[id.slot] = part
        fetches[part] = Fetch(part: part, work: work, byteCount: byteCount, id: id)
        if part.extent != .whole { partialExtents[part.picture, default: []].append(part.extent) }
    }

    /// Notes that a job needs the bytes that the fetch of `part` brings.
    mutating func addJob(_ job: JobID, to part: FilePart) {
        fetches[part]?.jobs.append(job)
    }

    /// Registers a job with the fetch whose bytes the job is about to read, so that the bytes are not dropped. Does
    /// nothing if the job is registered already, as most jobs are. A job is not registered yet if it was to be made
    /// from a cached rendition that has been evicted in the meantime.
    mutating func retainBytes(of part: FilePart, for job: JobID) {
        guard let fetch = fetches[part], fetch.bytes != nil, !fetch.jobs.contains(job) else { return }
        addJob(job, to: part)
    }

    /// Notes that a job no longer needs the bytes of a fetch.
    ///
    /// A fetch that no other job needs is dropped at the end of the event and not at once, because a job that is added
    /// later in the event may need it.
    ///
    /// - Returns: whether other jobs need the bytes, so that the rank of the fetch (its place in the order of work) may
    ///   have changed.
    mutating func removeJob(_ job: JobID, from part: FilePart) -> Bool {
        guard let fetch = fetches[part], let index = fetch.jobs.firstIndex(of: job) else { return false }
        change(part) { _ = $0.jobs.remove(at: index) }
        guard fetch.jobs.count == 1 else { return true }
        unwanted.append(part)
        return false
    }

    /// Notes that several jobs no longer need the bytes of a fetch. All of them are removed in one pass over the
    /// fetch's jobs, because a large picture may be requested in thousands of crops, each with a job of its own.
    ///
    /// - Returns: whether other jobs need the bytes, as for `removeJob(_:from:)`.
    mutating func removeJobs(_ jobs: [JobID], from part: FilePart) -> Bool {
        let gone = Set(jobs)
        fetches[part]?.jobs.removeAll { gone.contains($0) }
        guard fetches[part]?.jobs.isEmpty ?? true else { return true }
        unwanted.append(part)
        return false
    }

    /// The rank (place in the order of work) of a fetch whose jobs have the given ranks: that of its most urgent job.
    /// Nil if it has no job.
    static func rank(forJobsOf ranks: some Sequence<JobRank>) -> JobRank? {
        guard var rank = ranks.min() else { return nil }
        // Marks the rank as awaited if a request waits for any of the fetch's jobs. The most urgent job may be
        // speculative, which means that only a caching manager wants it, while a request waits for a less urgent job.
        if !ranks.allSatisfy(\.isSpeculative) { rank = rank.awaited }
        // A transfer can be stopped at any time, even if the decoder that will read the bytes cannot.
        rank.isStoppable = true
        return rank
    }

    /// Changes the rank of a fetch (its place in the order of work); does nothing if its bytes have arrived.
    mutating func setRank(_ rank: JobRank, of part: FilePart) {
        if let id = fetches[part]?.id { scheduler.setRank(rank, of: id) }
    }

    // MARK: Starting, stopping and ending fetches

    /// The fetch to start next; nil if no fetch waits, or if the largest number of fetches runs already.
    ///
    /// - Parameter includingSpeculative: whether a speculative fetch may be chosen, that is, one that only caching
    ///   managers want and that no request waits for.
    func candidate(includingSpeculative: Bool) -> (fetch: Fetch, rank: JobRank)? {
        guard let id = scheduler.candidate(includingSpeculative: includingSpeculative) else { return nil }
        return fetch(id).map { ($0, scheduler.rank(of: id)) }
    }

    mutating func start(_ fetch: Fetch, paidBy reservation: Reservation, at now: MonotonicTime) -> FetchAssignment? {
        guard let id = fetch.id else { return nil }
        _ = scheduler.start(id)
        let token = CancellationToken()
        change(fetch.part) {
            $0.run = Fetch.Run(token: token, start: now)
            $0.reservation = reservation
        }
        return FetchAssignment(
            id: id, subject: fetch.part.picture, extent: fetch.part.extent, work: fetch.work, token: token)
    }

    /// Chooses running fetches that must stop so that more urgent fetches of visible images can start. The chosen
    /// fetches are marked as told to stop.
    ///
    /// - Parameter forMemory: whether the most urgent waiting fetch lacks memory. If so, one running fetch may have to
    ///   give its memory back.
    /// - Returns: the cancellation tokens of the marked fetches. The caller cancels them.
    mutating func preempt(forMemory: Bool) -> [CancellationToken] {
        var tokens: [CancellationToken] = []
        while let id = scheduler.preemption { tokens += stop(id) }
        if forMemory, let id = scheduler.preemptionForMemory { tokens += stop(id) }
        return tokens
    }

    private mutating func stop(_ id: JobID) -> [CancellationToken] {
        scheduler.stop(id)
        return fetch(id)?.run.map { [$0.token] } ?? []
    }

    /// Notes that more bytes of a running fetch have arrived.
    ///
    /// - Returns: the jobs whose requests get a progress report, and the fraction of the bytes that has arrived; nil if
    ///   the progress since the last report is too small, if the fetch is that of an embedded preview, or if it does
    ///   not run any more.
    mutating func progress(_ id: JobID, to fraction: Double) -> (jobs: [JobID], fraction: Double)? {
        // Requests get progress reports about the fetch of a whole file, and about the fetch of the parts for the
        // requested image. They get none about the fetch of an embedded preview.
        guard let fetch = fetch(id), fetch.run != nil, fetch.part.extent != .preview else { return nil }
        let fraction = min(fraction, 1)
        guard fraction >= fetch.fraction + Self.progressStep || (fraction == 1 && fetch.fraction < 1) else {
            return nil
        }
        change(fetch.part) { $0.fraction = fraction }
        return (fetch.jobs, fraction)
    }

    /// Marks a running fetch as no longer running.
    ///
    /// - Returns: the fetch as it was before, the facts about its transfer, and its reserved memory, which the caller
    ///   has to release; nil if the fetch was not running.
    mutating func endRun(_ id: JobID) -> (fetch: Fetch, run: Fetch.Run, reservation: Reservation)? {
        guard let fetch = fetch(id), let run = fetch.run, let reservation = fetch.reservation else { return nil }
        change(fetch.part) {
            $0.run = nil
            $0.reservation = nil
        }
        return (fetch, run, reservation)
    }

    /// Stores the bytes that a fetch has brought.
    mutating func arrived(
        _ bytes: FetchedBytes, for fetch: Fetch, milliseconds: Double, paidBy reservation: Reservation
    ) {
        if fetch.byteCount <= 0 { updateAssumedByteCount(bytes.byteCount) }
        if let id = fetch.id { scheduler.finish(id) }
        change(fetch.part) {
            $0.id = nil
            $0.bytes = bytes
            $0.milliseconds = milliseconds
            $0.reservation = reservation
        }
        arrivedParts.append(fetch.part)
        if fetch.jobs.isEmpty { unwanted.append(fetch.part) }
    }

    /// Updates the length that is assumed for files of unknown length, now that such a file has arrived. A longer file
    /// raises the assumed length at once; shorter files lower it step by step.
    private mutating func updateAssumedByteCount(_ byteCount: Int) {
        let excess = max(0, assumedByteCount - byteCount)
        assumedByteCount = max(byteCount, assumedByteCount - excess / 4)
    }

    /// Drops a fetch whose run has failed, or has been stopped because no job wants the bytes.
    mutating func abandon(_ fetch: Fetch) {
        if let id = fetch.id { scheduler.finish(id) }
        remove(fetch.part)
    }

    /// Puts a fetch back into the queue, because its transfer was stopped although jobs want its bytes. Either the
    /// transfer made way for a more urgent fetch, or a job asked for the bytes after the transfer had been told to
    /// stop.
    mutating func requeue(_ fetch: Fetch) {
        change(fetch.part) { $0.fraction = 0 }
        if let id = fetch.id { scheduler.requeue(id) }
    }

    // MARK: Dropping fetches

    /// The result of `dismissUnwanted` for one fetch that no job wants any more. Each case leaves a task to the caller.
    enum Dismissal {
        /// The fetch was not running, and has been dropped. The caller must release the fetch's `work`. If the bytes of
        /// the fetch had arrived, the caller must also release these bytes and the memory reserved for them.
        case gone(Fetch)
        /// The fetch still runs. The caller must stop it by cancelling this token.
        case stopping(CancellationToken)
    }

    /// Drops the fetches that no job wants any more. A running fetch is only marked as told to stop, and is dropped
    /// when its transfer has ended.
    ///
    /// - Parameter partsInUse: the parts whose bytes are read though no job wants them. They are dropped by a later
    ///   call.
    /// - Returns: one element for each fetch that was dropped or marked.
    mutating func dismissUnwanted(keeping partsInUse: [FilePart]) -> [Dismissal] {
        guard !unwanted.isEmpty else { return [] }
        var dismissals: [Dismissal] = []
        var kept: [FilePart] = []
        for part in unwanted {
            guard let fetch = fetches[part], fetch.jobs.isEmpty else { continue }
            guard !partsInUse.contains(part) else {
                if !kept.contains(part) { kept.append(part) }
                continue
            }
            guard let id = fetch.id else {
                drop(fetch)
                dismissals.append(.gone(fetch))
                continue
            }
            switch scheduler.state(of: id) {
            case .queued, .parked:
                scheduler.removeQueued(id)
                drop(fetch)
                dismissals.append(.gone(fetch))
            case .running: dismissals += stop(id).map { .stopping($0) }
            case .stopping: break
            }
        }
        unwanted = kept
        return dismissals
    }

    /// Removes a fetch that is not in the scheduler any more. Either its bytes have arrived, or it has been taken out
    /// of the queue.
    mutating func drop(_ fetch: Fetch) {
        if fetch.bytes != nil, let index = arrivedParts.firstIndex(of: fetch.part) { arrivedParts.remove(at: index) }
        remove(fetch.part)
    }

    private mutating func remove(_ part: FilePart) {
        fetches[part] = nil
        guard part.extent != .whole else { return }
        let extents = partialExtents[part.picture]?.filter { $0 != part.extent }
        partialExtents[part.picture] = extents?.isEmpty ?? true ? nil : extents
    }

    /// Frees the storage of the board if no fetch is left and the storage is large.
    ///
    /// - Returns: the number of fetches that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int {
        let count = partsBySlot.count
        guard fetches.isEmpty, count > PipelineState.keptCapacity else { return 0 }
        (fetches, partsBySlot, partialExtents) = ([:], [], [:])
        scheduler.shrink()
        return count
    }

    private func fetch(_ id: JobID) -> Fetch? { part(of: id).flatMap { fetches[$0] } }

    /// Changes a fetch in place.
    ///
    /// - Precondition: the board has a fetch of the part.
    private mutating func change(_ part: FilePart, _ body: (inout Fetch) -> Void) {
        guard let index = fetches.index(forKey: part) else { preconditionFailure("a fetch that is over") }
        body(&fetches.values[index])
    }
}

// MARK: Invariants

extension FetchBoard {
    /// - Parameters:
    ///   - isInBatch: whether a batch of events is still going on. During a batch, the board may have fetches that no
    ///     job wants.
    ///   - partsInUse: the parts whose bytes are read though no job wants them.
    ///   - rank: returns the rank (place in the order of work) of a job.
    func checkInvariants(
        isInBatch: Bool, keeping partsInUse: [FilePart] = [], rankOf rank: (JobID) -> JobRank
    ) throws(BrokenInvariant) {
        try scheduler.checkInvariants()
        for fetch in fetches.values {
            try check(fetch, mayLackJobs: isInBatch || partsInUse.contains(fetch.part), rankOf: rank)
        }
        let here = fetches.values.count { $0.bytes != nil }
        try BrokenInvariant.require(
            arrivedParts.count == here && arrivedParts.allSatisfy { fetches[$0]?.bytes != nil },
            "bytes that are here and not known to be, or known and gone")
        try BrokenInvariant.require(
            partialExtents.allSatisfy { picture, extents in
                !extents.isEmpty && extents.allSatisfy { fetches[FilePart(picture, $0)] != nil }
            } && partialExtents.reduce(0) { $0 + $1.value.count } == fetches.keys.count { $0.extent != .whole },
            "parts of files that are not fetched, or fetched and not known")
        try BrokenInvariant.require(scheduler.preemption == nil, "a prefetch's bytes come before visible ones")
    }

    /// The bytes of the memory budget that are reserved for fetches.
    var reservedByteCount: Int { fetches.values.reduce(0) { $0 + ($1.reservation?.byteCount ?? 0) } }

    /// Each pair of a job and a fetch whose bytes the job needs.
    var jobsAndFetches: [(job: JobID, fetch: Fetch)] {
        fetches.values.flatMap { fetch in fetch.jobs.map { ($0, fetch) } }
    }

    private func check(_ fetch: Fetch, mayLackJobs: Bool, rankOf rank: (JobID) -> JobRank) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            (fetch.id == nil) == (fetch.bytes != nil), "bytes neither here nor on their way, or both")
        guard let id = fetch.id else {
            return try BrokenInvariant.require(!fetch.jobs.isEmpty || mayLackJobs, "bytes that nobody wants")
        }
        try BrokenInvariant.require(
            fetch.jobs.isEmpty || scheduler.rank(of: id) == Self.rank(forJobsOf: fetch.jobs.map(rank)),
            "a fetch of outdated rank")
        switch scheduler.state(of: id) {
        case .parked: throw BrokenInvariant("a parked fetch")
        case .queued:
            try BrokenInvariant.require(fetch.run == nil && fetch.reservation == nil, "a fetch waits and runs")
        case .running, .stopping:
            try BrokenInvariant.require(fetch.run != nil && fetch.reservation != nil, "a fetch unpaid")
        }
        if case .running = scheduler.state(of: id) {
            try BrokenInvariant.require(!fetch.jobs.isEmpty || mayLackJobs, "an unwanted fetch runs on")
        }
    }
}
