import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

// MARK: What happens because time goes by

extension PipelineState {
    /// Time is now `now`: requests whose deadlines have come end, and so does what takes longer than a render may.
    ///
    /// The owner calls this when the time of the last `wake` has come. Any number of other calls does no harm. Of very many
    /// that are due only a part ends, and the next `wake` is for now.
    package mutating func timePassed(at now: MonotonicTime) {
        // Whoever calls may have forgotten its earlier wake for this one: it is told again.
        announcedWake = nil
        lastTimePassed = now
        for _ in 0..<Self.pieceCount {
            guard let purpose = alarms.takeFirst(dueBy: now) else { break }
            switch purpose {
            case .deadline(let id):
                requests.change(id) { $0.alarm = nil }
                if let request = requests[id], let asset = asset(of: request) {
                    deliverFailure(.deadlineExceeded, to: id, of: asset)
                }
            case .timeLimit(let job): giveUp(job, at: now)
            case .memory: memoryAlarm = nil
            }
        }
        dispatch(at: now)
    }

    /// The number of requests that one event may end. An event of unbounded length would hold up all others.
    package static let pieceCount = 256

    private static let memoryInterval = Duration.seconds(1)

    /// Sets an alarm that checks for memory, again and again, while something waits for memory that receivers hold.
    ///
    /// - Parameter isLacking: whether something waits for memory.
    mutating func watchMemory(isLacking: Bool, at now: MonotonicTime) {
        // Cached images that no receiver holds would have been evicted already, so only the receivers' images can be
        // awaited here. The budget's other users report by events when they end.
        let isAwaited = cache.byteCount > 0 && (isLacking || budget.shortage(for: 0) > 0)
        if isAwaited, memoryAlarm == nil {
            memoryAlarm = alarms.add(.memory, at: now.advanced(by: Self.memoryInterval))
        } else if !isAwaited, let alarm = memoryAlarm {
            alarms.remove(alarm)
            memoryAlarm = nil
        }
    }

    /// Has the owner call `timePassed` at the earliest alarm. A wake that comes too early does no harm, so that nothing is
    /// said where the earliest alarm is gone: requests come and go far more often than alarms are due.
    mutating func announceWake() {
        guard let earliest = alarms.earliest else { return }
        // Alarms that were due at the last call, and left for the next, are due now.
        let time = max(earliest, lastTimePassed)
        guard announcedWake.map({ time < $0 }) ?? true else { return }
        announcedWake = time
        emit(.wake(at: time))
    }

    /// A render has taken longer than it may. Most decoders notice by themselves; one that cannot be stopped, or a source
    /// that does not answer, keeps its worker, but nobody has to wait for it.
    private mutating func giveUp(_ id: JobID, at now: MonotonicTime) {
        guard jobs.contains(id), case let job = jobs[id], let run = job.run else {
            preconditionFailure("a time limit for no run")
        }
        jobs[id].run!.isOverdue = true
        // Set again, for those who join before the worker answers.
        jobs[id].run!.alarm = addTimeLimit(for: id, at: now)
        if case .running = scheduler.state(of: id) { tellToStop(id, run) }
        // Those that came late need not wait for an answer either.
        jobs[id].run!.latecomers = []
        release(run.latecomers)
        for part in [id] + run.companions {
            let job = jobs[part]
            jobs[part].subscribers = Subscribers()
            for subscriber in job.subscribers.inOrder { fail(.timeLimitExceeded, job: job, for: subscriber, at: now) }
            updateRank(of: part)
        }
    }

    mutating func addTimeLimit(for job: JobID, at now: MonotonicTime) -> AlarmHeap.Alarm {
        // Later than now, or time would stand still over one that is always due.
        let limit = max(configuration.renderTimeLimit, .milliseconds(1))
        return alarms.add(.timeLimit(job), at: now.advanced(by: limit))
    }
}

extension ImageRequestError {
    static let timeLimitExceeded = ImageRequestError.rendering(.limitExceeded(limit: .duration))
}
