import ThumbwheelCore

// MARK: Deadlines, time limits and checks of memory

extension PipelineState {
    /// The largest number of alarms, of requests, or of images of a caching window that one event may handle. An event
    /// of unbounded length would delay all other events.
    package static let pieceLength = 256

    /// Advances the time to `now`: ends requests whose deadlines have passed and renders that exceed their time limit.
    ///
    /// The owner calls this at the time that the last `wake` action named. Calls at other times do no harm. If very
    /// many alarms are due, one call handles only a part of them, and emits a `wake` action for the next call at once.
    package mutating func timePassed(at now: MonotonicTime) {
        alarms.timePassed(at: now)
        for _ in 0..<Self.pieceLength {
            guard let purpose = alarms.takeFirst(dueBy: now) else { break }
            switch purpose {
            case .deadline(let id):
                guard let slot = requests.slot(of: id) else { continue }
                requests.setAlarm(nil, of: slot)
                if let asset = asset(of: requests[slot: slot]) { deliverFailure(.deadlineExceeded, to: id, of: asset) }
            case .timeLimit(let job): failOverdue(job, at: now)
            case .lookUp(let id): lookUpTimedOut(id, at: now)
            case .claim(let id): claimTimedOut(id, at: now)
            case .memory: continue
            }
        }
        dispatch(at: now)
    }

    /// Sets the alarm for the next check of memory, or removes the alarm if no check is needed. A check is needed if
    /// work waits for memory that the receivers of images may be holding.
    ///
    /// - Parameter isLacking: whether a job or a fetch waits for memory.
    mutating func watchMemory(isLacking: Bool, at now: MonotonicTime) {
        // If eviction cannot free enough memory for waiting work, the memory must be checked again after a while. The
        // memory is in use by renders, by fetches or by the receivers of images. Renders and fetches report their ends
        // to the pipeline, but receivers drop images without a report.
        let isAwaited = store.cachedByteCount > 0 && (isLacking || store.shortage(for: 0) > 0)
        alarms.watchMemory(isAwaited, at: now)
    }
}
