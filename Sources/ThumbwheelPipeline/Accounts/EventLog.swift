import ThumbwheelCore

/// The log of the events that have happened since the last `take`. It has a limited length, because the program that
/// uses this library may have stopped taking events.
struct EventLog: Sendable {
    private let capacity: Int
    private var taken = PipelineEvents()
    /// The log entries of the current pipeline event, which is one call of the pipeline by its owner. They have no time
    /// yet: `stamp` gives them all the same time when the call ends.
    private var pending: [PipelineEvent.Kind] = []
    private var gauges = PipelineEvent.Gauges()

    /// - Parameter capacity: the largest number of events in the log; with 0, no event is logged.
    init(capacity: Int) {
        self.capacity = capacity
    }

    var keepsEvents: Bool { capacity > 0 }

    mutating func take() -> PipelineEvents {
        defer { taken = PipelineEvents() }
        return taken
    }

    /// Notes a log entry of the current pipeline event. If no events are logged, `kind` is not evaluated, and the call
    /// costs one comparison of numbers.
    @inline(__always)
    mutating func note(_ kind: @autoclosure () -> PipelineEvent.Kind) {
        guard keepsEvents else { return }
        pending.append(kind())
    }

    /// Adds the entries that `note` has collected during the current pipeline event to the log, all with the time
    /// `now`.
    ///
    /// - Parameter gauges: the queue lengths and byte counts after the pipeline event, which are logged if they have
    ///   changed. Nil if no gauges should be logged.
    mutating func stamp(at now: MonotonicTime, _ gauges: PipelineEvent.Gauges?) {
        if let gauges, gauges != self.gauges {
            self.gauges = gauges
            pending.append(.gauges(gauges))
        }
        for kind in pending { taken.events.append(PipelineEvent(time: now, kind: kind)) }
        pending.removeAll(keepingCapacity: true)
        guard taken.events.count > capacity else { return }
        // Removing entries moves all entries that stay in the log. So a full log loses half of its entries at once; if
        // it lost one entry at a time, each new entry would move all others.
        let lost = taken.events.count - capacity / 2
        taken.events.removeFirst(lost)
        taken.lostCount += lost
    }
}
