import ThumbwheelCore
import ThumbwheelScheduling

/// The claims of render jobs. A claim asks the shared store whether another server is making the job's rendition. The
/// board holds claims that have not been answered, and claims that were answered with `.won` (this server makes the
/// rendition) and have not been ended. The board knows render jobs only by their identifiers.
///
/// While a job waits for the answer, no memory is reserved for the rendition that the answer may bring. Most answers
/// bring no rendition, and a small rendition usually finds room when it arrives. If there is no room, it is delivered
/// but not cached.
struct ClaimBoard: Sendable {
    struct Asked: Sendable {
        /// The job that waits for the answer to the claim; nil if no job waits for it any more.
        var job: JobID?
        /// The alarm that rings when the job has waited for the answer as long as it may; nil once it has rung, or when
        /// no job waits any more.
        var alarm: AlarmHeap.Alarm?
        let token: CancellationToken
    }

    private var asked: [ClaimID: Asked] = [:]
    /// The claim of each job that waits for an answer or has won its claim.
    private var byJob: [JobID: ClaimID] = [:]
    private var lastNumber: UInt64 = 0

    /// The largest number of claims that may wait for answers at once. While there are so many, further jobs make their
    /// renditions without a claim.
    private static let limit = 256

    // MARK: Finding out which claims there are

    /// Whether no claim waits for an answer. A pipeline that is being closed waits for this. Claims that were won may
    /// still be there.
    var areAllAnswered: Bool { asked.isEmpty }

    /// Whether any job waits for an answer, or has won a claim.
    var hasJobs: Bool { !byJob.isEmpty }

    /// Whether a job waits for the answer to its claim.
    func isAsking(_ job: JobID) -> Bool { byJob[job].map { asked[$0] != nil } ?? false }

    /// Whether one more claim can be made. It can if fewer claims than `limit` wait for answers.
    var hasRoom: Bool { asked.count < Self.limit }

    // MARK: Beginning and ending claims

    /// The identifier of the next claim.
    mutating func nextID() -> ClaimID {
        lastNumber += 1
        return ClaimID(number: lastNumber)
    }

    mutating func begin(_ id: ClaimID, for job: JobID, alarm: AlarmHeap.Alarm, token: CancellationToken) {
        asked[id] = Asked(job: job, alarm: alarm, token: token)
        byJob[job] = id
    }

    /// Removes a claim from the claims that wait for an answer, because it has been answered. If `isWon` is true, the
    /// claim stays assigned to its job until the job ends or `takeWon` takes the claim.
    ///
    /// - Returns: the claim as it was before; nil if it is unknown.
    mutating func end(_ id: ClaimID, isWon: Bool) -> Asked? {
        guard let claim = asked.removeValue(forKey: id) else { return nil }
        if let job = claim.job, !isWon { byJob[job] = nil }
        return claim
    }

    /// Notes that the time for waiting is over: no job waits for the answer to this claim any more.
    ///
    /// - Returns: the job that waited, and the token to cancel.
    mutating func stopWaiting(for id: ClaimID) -> (job: JobID, token: CancellationToken)? {
        asked[id]?.alarm = nil
        guard let claim = asked[id], let job = claim.job else { return nil }
        asked[id]?.job = nil
        byJob[job] = nil
        return (job, claim.token)
    }

    /// The task for the caller of `removeJob`, depending on the state of the claim that was removed.
    enum Removal {
        /// The claim has not been answered. The caller has to remove the alarm and cancel the token.
        case asked(AlarmHeap.Alarm?, CancellationToken)
        /// The claim was won. The caller has to end it.
        case won(ClaimID)
    }

    /// Removes the claim of a job that is over.
    ///
    /// - Returns: the task for the caller; nil if the job has no claim.
    mutating func removeJob(_ job: JobID) -> Removal? {
        guard let id = byJob.removeValue(forKey: job) else { return nil }
        guard let claim = asked[id] else { return .won(id) }
        asked[id]?.job = nil
        asked[id]?.alarm = nil
        return .asked(claim.alarm, claim.token)
    }

    /// Takes the claim of a job that has made its rendition; nil if it has won none. The caller has to end it.
    mutating func takeWon(of job: JobID) -> ClaimID? {
        guard !byJob.isEmpty, let id = byJob[job], asked[id] == nil else { return nil }
        byJob[job] = nil
        return id
    }
}

// MARK: Invariants

extension ClaimBoard {
    /// The number of alarms that are set for claims without an answer.
    var alarmCount: Int { asked.values.count { $0.alarm != nil } }

    /// - Parameter isKnown: a function that returns whether a job with the given identifier exists.
    func checkInvariants(isKnown: (JobID) -> Bool) throws(BrokenInvariant) {
        for (job, id) in byJob {
            try BrokenInvariant.require(isKnown(job), "a claim of a job that is over")
            if let claim = asked[id] {
                try BrokenInvariant.require(claim.job == job, "a job waits for a claim that does not know it")
            }
        }
        for (id, claim) in asked {
            if let job = claim.job {
                try BrokenInvariant.require(byJob[job] == id, "a claim for a job that does not wait for it")
            }
            try BrokenInvariant.require((claim.job == nil) == (claim.alarm == nil), "an alarm for nobody's claim")
            try BrokenInvariant.require(
                claim.job != nil || claim.token.isCancelled, "a claim that nobody has told to stop")
        }
    }
}
