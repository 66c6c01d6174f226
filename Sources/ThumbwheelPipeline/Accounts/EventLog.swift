import ThumbwheelCore

/// The events that have happened and that nobody has taken yet.
///
/// Their number is bounded, because whoever should take them may have died.
struct EventLog: Sendable {
    private let capacity: Int
    private var taken = PipelineEvents()
    /// Parts of the event that is being applied; they get its time when it ends.
    private var pending: [PipelineEvent.Kind] = []
    private var gauges = PipelineEvent.Gauges()

    /// - Parameter capacity: the number of events that are kept; with 0, none is noted.
    init(capacity: Int) {
        self.capacity = capacity
    }

    var keepsEvents: Bool { capacity > 0 }

    mutating func take() -> PipelineEvents {
        defer { taken = PipelineEvents() }
        return taken
    }

    /// Costs no more than the test of a number where no events are kept.
    @inline(__always)
    mutating func note(_ kind: @autoclosure () -> PipelineEvent.Kind) {
        guard keepsEvents else { return }
        pending.append(kind())
    }

    /// - Parameter gauges: lengths and sizes from now on; nil if they are not to be told.
    mutating func stamp(at now: MonotonicTime, _ gauges: PipelineEvent.Gauges?) {
        if let gauges, gauges != self.gauges {
            self.gauges = gauges
            pending.append(.gauges(gauges))
        }
        for kind in pending { taken.events.append(PipelineEvent(time: now, kind: kind)) }
        pending.removeAll(keepingCapacity: true)
        guard taken.events.count > capacity else { return }
        // Half at once: each event is moved once, not each time that one is added.
        let lost = taken.events.count - capacity / 2
        taken.events.removeFirst(lost)
        taken.lostCount += lost
    }
}
