import ThumbwheelCore

// MARK: What happens because time goes by

extension PipelineState {
    /// The number of alarms, requests or window entries that one event may deal with. An event of unbounded length
    /// would hold up all others.
    package static let pieceCount = 256

    /// Advances the time to `now`: ends requests whose deadlines have passed and renders that exceed their time limit.
    ///
    /// The owner calls this when the time of the last `wake` has come. Calls at other times do no harm. If very many
    /// alarms are due, one call handles only a part of them, and asks at once for the next call.
    package mutating func timePassed(at now: MonotonicTime) {
        alarms.timePassed(at: now)
        for _ in 0..<Self.pieceCount {
            guard let purpose = alarms.takeFirst(dueBy: now) else { break }
            switch purpose {
            case .deadline(let id):
                guard let slot = requests.slot(of: id) else { continue }
                requests.setAlarm(nil, of: slot)
                if let asset = asset(of: requests[slot: slot]) { deliverFailure(.deadlineExceeded, to: id, of: asset) }
            case .timeLimit(let job): giveUp(job, at: now)
            case .memory: continue
            }
        }
        dispatch(at: now)
    }

    /// Sets the alarm for the next check of memory, or removes it if nothing waits for memory that receivers hold.
    ///
    /// - Parameter isLacking: whether a job or a fetch waits for memory.
    mutating func watchMemory(isLacking: Bool, at now: MonotonicTime) {
        // Eviction could not supply the memory that is lacking. So it is taken up by renders, by fetches, or by images
        // that receivers hold. Renders and fetches end with an event, but receivers let go of images without one.
        let isAwaited = store.cachedByteCount > 0 && (isLacking || store.shortage(for: 0) > 0)
        alarms.watchMemory(isAwaited, at: now)
    }
}
