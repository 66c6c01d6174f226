import ThumbwheelCore
import ThumbwheelScheduling

/// The files that come over a network: those that wait for their turn, those on their way, and those that are here.
///
/// One fetch serves all renditions that are made of a file. Fetches are the jobs of a scheduler of their own, whose workers
/// are the fetches that may run at once. The board knows renders by their identifiers only: the coordinator tells it
/// how urgent they are, and pays for the bytes.
struct FetchBoard: Sendable {
    typealias Subject = RenditionKey.Subject

    private let byteLimit: Int
    private var scheduler: Scheduler
    private var fetches: [Subject: Fetch] = [:]
    /// By the slots of their identifiers in `scheduler`; an outdated entry is in no fetch.
    private var subjects: [Subject?] = []
    /// Those whose bytes are here: few, for the budget pays for them, where thousands may be on their way.
    private(set) var subjectsHere: [Subject] = []
    /// Those that lost their last job during this event.
    private var unwanted: [Subject] = []
    /// The assumed length of a file of unknown length; the initial value is that of a typical camera file.
    private(set) var unknownByteCount = 8 << 20

    /// The least progress that is worth telling.
    private static let progressStep = 0.01

    /// - Parameters:
    ///   - limit: the number of fetches that may run at once.
    ///   - byteLimit: the length, in bytes, of the longest file that is fetched.
    init(limit: Int, byteLimit: Int) {
        scheduler = Scheduler(workerCount: max(1, limit))
        self.byteLimit = byteLimit
    }

    // MARK: Looking

    var isEmpty: Bool { fetches.isEmpty }
    var queuedCount: Int { scheduler.queuedCount }
    var runningCount: Int { scheduler.runningCount }

    subscript(subject: Subject) -> Fetch? { fetches[subject] }

    func contains(_ subject: Subject) -> Bool { fetches[subject] != nil }

    /// The bytes of a file, if they are here.
    func bytes(of subject: Subject) -> FetchedBytes? { fetches[subject]?.bytes }

    /// The fetch that has an identifier; nil if it is over.
    func subject(of id: JobID) -> Subject? {
        guard id.slot < subjects.count, let subject = subjects[id.slot], fetches[subject]?.id == id else { return nil }
        return subject
    }

    /// The length to expect of a file that has yet to be fetched, in bytes.
    ///
    /// A file above the byte limit counts as 0, because it is refused before its first byte is fetched. A file of unknown
    /// length counts as long as those before it were.
    func expectedByteCount(of fetch: Fetch) -> Int {
        if fetch.byteCount > byteLimit { return 0 }
        return fetch.byteCount > 0 ? fetch.byteCount : min(unknownByteCount, byteLimit)
    }

    // MARK: Jobs that wait

    /// Queues the fetch of a file, unless there is one.
    mutating func open(_ subject: Subject, work: RenderWork, byteCount: Int, rank: JobRank) {
        guard fetches[subject] == nil else { return }
        let id = scheduler.add(rank: rank)
        while subjects.count <= id.slot { subjects.append(nil) }
        subjects[id.slot] = subject
        fetches[subject] = Fetch(subject: subject, work: work, byteCount: byteCount, id: id)
    }

    /// Ties a job to the bytes of a file that is fetched.
    mutating func tie(_ job: JobID, to subject: Subject) {
        fetches[subject]?.jobs.append(job)
    }

    /// Ties a job to bytes that are here and that it is about to read: it may have waited for pixels that are gone.
    mutating func keepBytes(of subject: Subject, for job: JobID) {
        guard let fetch = fetches[subject], fetch.bytes != nil, !fetch.jobs.contains(job) else { return }
        tie(job, to: subject)
    }

    /// Unties a job from a file, which is then wanted by others or by nobody.
    ///
    /// Bytes that nobody wants are looked at once the event is over: another job may want them by then.
    ///
    /// - Returns: whether other jobs want the file, so that its rank may have changed.
    mutating func untie(_ job: JobID, from subject: Subject) -> Bool {
        guard let fetch = fetches[subject], let index = fetch.jobs.firstIndex(of: job) else { return false }
        change(subject) { _ = $0.jobs.remove(at: index) }
        guard fetch.jobs.count == 1 else { return true }
        unwanted.append(subject)
        return false
    }

    /// Unties all the jobs together: one by one, each would be searched for among thousands of tiles of one picture.
    ///
    /// - Returns: as `untie(_:from:)`.
    mutating func untie(_ jobs: [JobID], from subject: Subject) -> Bool {
        let gone = Set(jobs)
        fetches[subject]?.jobs.removeAll { gone.contains($0) }
        guard fetches[subject]?.jobs.isEmpty ?? true else { return true }
        unwanted.append(subject)
        return false
    }

    /// The rank of a fetch whose jobs have the given ranks: that of the most urgent of them; nil for no job.
    static func rank(forJobsOf ranks: some Sequence<JobRank>) -> JobRank? {
        guard var rank = ranks.min() else { return nil }
        // A window may want the bytes more, and yet a request waits for them.
        if !ranks.allSatisfy(\.isSpeculative) { rank = rank.awaited }
        // Whatever decodes them.
        rank.isStoppable = true
        return rank
    }

    /// Changes the rank of a fetch; does nothing where the bytes are here.
    mutating func setRank(_ rank: JobRank, of subject: Subject) {
        if let id = fetches[subject]?.id { scheduler.setRank(rank, of: id) }
    }

    // MARK: Running

    /// The fetch to start next; nil if none waits, or if as many run as may.
    ///
    /// - Parameter includingSpeculative: whether it may be one that only windows want.
    func candidate(includingSpeculative: Bool) -> (fetch: Fetch, rank: JobRank)? {
        guard let id = scheduler.candidate(includingSpeculative: includingSpeculative) else { return nil }
        return fetch(id).map { ($0, scheduler.rank(of: id)) }
    }

    mutating func start(_ fetch: Fetch, paidBy reservation: Reservation, at now: MonotonicTime) -> FetchAssignment? {
        guard let id = fetch.id else { return nil }
        _ = scheduler.start(id)
        let token = CancellationToken()
        change(fetch.subject) {
            $0.run = Fetch.Run(token: token, start: now)
            $0.reservation = reservation
        }
        return FetchAssignment(id: id, subject: fetch.subject, work: fetch.work, token: token)
    }

    /// Has fetches stop that keep more urgent ones from running.
    ///
    /// - Parameter forMemory: whether the most urgent waiting fetch lacks memory.
    /// - Returns: the tokens to cancel.
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

    /// More of the bytes of a running fetch are here. Late news are no news.
    ///
    /// - Returns: the jobs whose requests are to be told, and how much to tell them.
    mutating func progress(_ id: JobID, to fraction: Double) -> (jobs: [JobID], fraction: Double)? {
        guard let fetch = fetch(id), fetch.run != nil else { return nil }
        let fraction = min(fraction, 1)
        guard fraction >= fetch.fraction + Self.progressStep || (fraction == 1 && fetch.fraction < 1) else {
            return nil
        }
        change(fetch.subject) { $0.fraction = fraction }
        return (fetch.jobs, fraction)
    }

    /// A fetch has ended.
    ///
    /// - Returns: the fetch as it was, with its reservation, which is to be released.
    mutating func endRun(_ id: JobID) -> (fetch: Fetch, run: Fetch.Run, reservation: Reservation)? {
        guard let fetch = fetch(id), let run = fetch.run, let reservation = fetch.reservation else { return nil }
        change(fetch.subject) {
            $0.run = nil
            $0.reservation = nil
        }
        return (fetch, run, reservation)
    }

    /// The bytes of a fetch are here.
    mutating func arrived(
        _ bytes: FetchedBytes, for fetch: Fetch, milliseconds: Double, paidBy reservation: Reservation
    ) {
        if fetch.byteCount <= 0 { noteUnknownLength(bytes.byteCount) }
        if let id = fetch.id { scheduler.finish(id) }
        change(fetch.subject) {
            $0.id = nil
            $0.bytes = bytes
            $0.milliseconds = milliseconds
            $0.reservation = reservation
        }
        subjectsHere.append(fetch.subject)
        if fetch.jobs.isEmpty { unwanted.append(fetch.subject) }
    }

    /// Learns from a file of unknown length that has come: a longer one is expected at once, and shorter ones bring the
    /// expectation down by and by.
    private mutating func noteUnknownLength(_ byteCount: Int) {
        let excess = max(0, unknownByteCount - byteCount)
        unknownByteCount = max(byteCount, unknownByteCount - excess / 4)
    }

    /// The bytes of a fetch cannot be had, or nobody wants them.
    mutating func abandon(_ fetch: Fetch) {
        if let id = fetch.id { scheduler.finish(id) }
        fetches[fetch.subject] = nil
    }

    /// A fetch that had to make way, or is wanted again since it was told to stop, waits for another turn.
    mutating func requeue(_ fetch: Fetch) {
        change(fetch.subject) { $0.fraction = 0 }
        if let id = fetch.id { scheduler.requeue(id) }
    }

    // MARK: Letting go

    /// What becomes of a fetch that no job wants any more.
    enum Farewell {
        /// It is gone; its bytes, if they were here, and their reservation are to be released.
        case gone(Fetch)
        /// It runs and is to be stopped.
        case stopping(CancellationToken)
    }

    /// Lets go of files that lost their last job, and stops their coming.
    mutating func dismissUnwanted() -> [Farewell] {
        guard !unwanted.isEmpty else { return [] }
        var farewells: [Farewell] = []
        for subject in unwanted {
            guard let fetch = fetches[subject], fetch.jobs.isEmpty else { continue }
            guard let id = fetch.id else {
                giveUp(fetch)
                farewells.append(.gone(fetch))
                continue
            }
            switch scheduler.state(of: id) {
            case .queued, .parked:
                scheduler.removeQueued(id)
                giveUp(fetch)
                farewells.append(.gone(fetch))
            case .running: farewells += stop(id).map { .stopping($0) }
            case .stopping: break
            }
        }
        unwanted = []
        return farewells
    }

    /// Gives up a file that is in no place of the order of fetches: its bytes are here, or it waits no more.
    mutating func giveUp(_ fetch: Fetch) {
        if fetch.bytes != nil, let index = subjectsHere.firstIndex(of: fetch.subject) { subjectsHere.remove(at: index) }
        fetches[fetch.subject] = nil
    }

    /// Frees the storage that many fetches took, once none is left.
    ///
    /// - Returns: the number of fetches that the storage was for; 0 if it stays.
    mutating func shrink() -> Int {
        let count = subjects.count
        guard fetches.isEmpty, count > PipelineState.keptCount else { return 0 }
        (fetches, subjects) = ([:], [])
        scheduler.shrink()
        return count
    }

    private func fetch(_ id: JobID) -> Fetch? { subject(of: id).flatMap { fetches[$0] } }

    /// Changes a fetch in place.
    ///
    /// - Precondition: the board has a fetch of the subject.
    private mutating func change(_ subject: Subject, _ body: (inout Fetch) -> Void) {
        guard let index = fetches.index(forKey: subject) else { preconditionFailure("a fetch that is over") }
        body(&fetches.values[index])
    }
}

// MARK: What must hold between any two events

extension FetchBoard {
    /// - Parameters:
    ///   - isInBatch: whether the event is not over: then a file may be unwanted and not have been dismissed yet.
    ///   - rank: the rank of a job.
    func checkInvariants(isInBatch: Bool, rankOf rank: (JobID) -> JobRank) throws(BrokenInvariant) {
        try scheduler.checkInvariants()
        for fetch in fetches.values { try check(fetch, isInBatch: isInBatch, rankOf: rank) }
        let here = fetches.values.count { $0.bytes != nil }
        try BrokenInvariant.require(
            subjectsHere.count == here && subjectsHere.allSatisfy { fetches[$0]?.bytes != nil },
            "bytes that are here and not known to be, or known and gone")
        try BrokenInvariant.require(scheduler.preemption == nil, "a prefetch's bytes come before visible ones")
    }

    /// Bytes that the budget pays for.
    var reservedByteCount: Int { fetches.values.reduce(0) { $0 + ($1.reservation?.byteCount ?? 0) } }

    /// The ties between jobs and files.
    var ties: [(job: JobID, fetch: Fetch)] { fetches.values.flatMap { fetch in fetch.jobs.map { ($0, fetch) } } }

    private func check(_ fetch: Fetch, isInBatch: Bool, rankOf rank: (JobID) -> JobRank) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            (fetch.id == nil) == (fetch.bytes != nil), "bytes neither here nor on their way, or both")
        guard let id = fetch.id else {
            return try BrokenInvariant.require(!fetch.jobs.isEmpty || isInBatch, "bytes that nobody wants")
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
            try BrokenInvariant.require(!fetch.jobs.isEmpty || isInBatch, "an unwanted fetch runs on")
        }
    }
}
