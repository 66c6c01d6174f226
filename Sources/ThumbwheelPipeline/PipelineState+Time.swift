import ThumbwheelCore

// MARK: What happens because time goes by

extension PipelineState {
    /// The number of requests that one event may end. An event of unbounded length would hold up all others.
    package static let pieceCount = 256

    /// Advances the time to `now`: ends requests whose deadlines have passed and renders that exceed their time limit.
    ///
    /// The owner calls this when the time of the last `wake` has come. Any number of other calls does no harm. If very many
    /// alarms are due, one call handles only a part of them, and the next `wake` is for now.
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

    /// - Parameter isLacking: whether something waits for memory.
    mutating func watchMemory(isLacking: Bool, at now: MonotonicTime) {
        // Cached images that no receiver holds would have been evicted already, so only the receivers' images can be
        // awaited here. The budget's other users report by events when they end.
        let isAwaited = store.cachedByteCount > 0 && (isLacking || store.shortage(for: 0) > 0)
        alarms.watchMemory(isAwaited, at: now)
    }
}
