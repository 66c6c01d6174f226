import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Renders that cannot be stopped

extension PipelineState {
    /// Abandons the runs that have been told to stop, that nobody wants any more, and whose decoders cannot be stopped.
    /// The job goes on as if the run had stopped, and its worker goes on with other work on another thread. The
    /// abandoned run goes on until its decoder returns. Until then its memory stays reserved, and so do the bytes from a
    /// network that it reads.
    ///
    /// A pipeline that is being closed waits for all its threads, and needs no other one unless jobs wait for a worker.
    mutating func abandonUnstoppable(at now: MonotonicTime) {
        while phase == .open || renders.queuedCount > 0,
            let id = renders.unstoppableRuns().first(where: { mayAbandonRun(of: $0) })
        {
            abandon(id, at: now)
        }
    }

    /// Whether a run that has been told to stop may be abandoned. It may not if somebody has asked for the rendition
    /// again, because the job would then begin again beside its own run. An overdue run may be abandoned all the same:
    /// nobody knows whether it will ever end.
    private func mayAbandonRun(of id: JobID) -> Bool {
        guard let run = renders[id].run else { return false }
        return run.isOverdue || rank(ofAll: [id] + run.members) == nil
    }

    private mutating func abandon(_ id: JobID, at now: MonotonicTime) {
        guard let run = renders.abandonRun(of: id) else { preconditionFailure("a job abandoned that does not run") }
        alarms.remove(run.alarm)
        emit(.replaceThread(worker: run.worker))
        stopped(run, of: renders[id], at: now)
    }

    /// Handles the end of a run on its thread, if the pipeline has abandoned the run. The outcome is of no use then.
    ///
    /// - Parameter token: the token of the run's assignment.
    /// - Returns: whether the run was abandoned. If not, nothing has changed, and the owner reports the outcome with
    ///   `finish`.
    package mutating func endAbandoned(_ token: CancellationToken, at now: MonotonicTime) -> Bool {
        guard let reservation = renders.endAbandoned(token) else { return false }
        store.release(reservation)
        dispatch(at: now)
        return true
    }
}
