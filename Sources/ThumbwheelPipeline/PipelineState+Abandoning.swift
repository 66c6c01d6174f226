import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Renders that cannot be stopped

extension PipelineState {
    /// Abandons the runs that have been told to stop, that nobody wants any more, and whose decoders cannot be stopped.
    /// The job ends as if it had stopped, and its worker goes on with other work on another thread. The abandoned run
    /// goes on until its decoder returns. Until then its memory stays reserved.
    ///
    /// A pipeline that is being closed abandons nothing, because it waits for all its threads anyway.
    mutating func abandonUnstoppable(at now: MonotonicTime) {
        while phase == .open, let id = renders.takeUnstoppable() {
            guard let run = renders[id].run, mayAbandon(run, of: id) else { continue }
            abandon(id, at: now)
        }
    }

    /// Whether a run that has been told to stop may be abandoned. It may not if somebody has asked for the rendition
    /// again, because the job would then begin again beside its own run. It may not either if the budget has no room
    /// for the bytes of the file that came over a network: the pipeline drops them together with the job, but the
    /// decoder holds them until it returns.
    private func mayAbandon(_ run: Job.Run, of id: JobID) -> Bool {
        (run.isOverdue || rank(ofAll: [id] + run.members) == nil)
            && store.shortage(for: run.source.bytes?.byteCount ?? 0) == 0
    }

    private mutating func abandon(_ id: JobID, at now: MonotonicTime) {
        guard let run = renders.endRun(of: id) else { preconditionFailure("a job abandoned that does not run") }
        let job = renders[id]
        store.release(run.reservation)
        let (sum, overflows) = run.reservation.byteCount.addingReportingOverflow(run.source.bytes?.byteCount ?? 0)
        renders.abandonRun(of: id, holding: store.reserve(overflows ? .max : sum, for: .rendering))
        alarms.remove(run.alarm)
        emit(.replaceThread(worker: run.worker))
        stopped(run, of: job, at: now)
    }

    /// Handles the end of a run on its thread, if the pipeline has abandoned the run. The outcome is of no use then.
    ///
    /// - Returns: whether the run was abandoned. If not, nothing has changed, and the owner reports the outcome with
    ///   `finish`.
    package mutating func endAbandoned(_ id: JobID, at now: MonotonicTime) -> Bool {
        guard let reservation = renders.endAbandoned(id) else { return false }
        store.release(reservation)
        dispatch(at: now)
        return true
    }
}
