import ThumbwheelCore

// MARK: The event stream

extension PipelineState {
    /// What has happened and not been taken yet: bounded, for whoever should take it may have died.
    struct EventLog {
        var taken = PipelineEvents()
        /// Parts of the event that is being applied; they get its time when it ends.
        var pending: [PipelineEvent.Kind] = []
        var gauges = PipelineEvent.Gauges()
    }

    /// Takes what happened since this was last asked.
    package mutating func takeEvents() -> PipelineEvents {
        defer { log.taken = PipelineEvents() }
        return log.taken
    }

    /// Nothing but the test of a number where no events are kept.
    @inline(__always)
    mutating func note(_ kind: @autoclosure () -> PipelineEvent.Kind) {
        guard configuration.eventCapacity > 0 else { return }
        log.pending.append(kind())
    }

    /// Ends an event: what it led to has happened at `now`.
    @inline(__always)
    mutating func stampEvents(at now: MonotonicTime) {
        guard configuration.eventCapacity > 0 else { return }
        keepEvents(at: now)
    }

    private mutating func keepEvents(at now: MonotonicTime) {
        let gauges = gauges
        if gauges != log.gauges, !isHoldingDispatch {
            log.gauges = gauges
            log.pending.append(.gauges(gauges))
        }
        for kind in log.pending { log.taken.events.append(PipelineEvent(time: now, kind: kind)) }
        log.pending.removeAll(keepingCapacity: true)
        guard log.taken.events.count > configuration.eventCapacity else { return }
        // Half at once: each event is moved once, not each time that one is added.
        let lost = log.taken.events.count - configuration.eventCapacity / 2
        log.taken.events.removeFirst(lost)
        log.taken.lostCount += lost
    }

    private var gauges: PipelineEvent.Gauges {
        PipelineEvent.Gauges(
            queuedRenderCount: scheduler.queuedCount, runningRenderCount: scheduler.runningCount,
            liveRequestCount: liveRequestCount, cachedByteCount: budget.usedByteCount(for: .cache),
            renderingByteCount: budget.usedByteCount(for: .rendering))
    }
}
