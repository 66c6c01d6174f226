import ThumbwheelCore

/// The events that have happened and that nobody has taken yet.
///
/// Their number is bounded, because the reader that should take them may have died.
struct EventLog: Sendable {
    private let capacity: Int
    private var taken = PipelineEvents()
    /// The entries noted during the current pipeline event. They get its time when it ends.
    private var pending: [PipelineEvent.Kind] = []
    private var gauges = PipelineEvent.Gauges()

    /// - Parameter capacity: the number of events that are kept; with 0, no event is noted.
    init(capacity: Int) {
        self.capacity = capacity
    }

    var keepsEvents: Bool { capacity > 0 }

    mutating func take() -> PipelineEvents {
        defer { taken = PipelineEvents() }
        return taken
    }

    /// Notes an entry of the current event. If no events are kept, the call costs one comparison of numbers.
    @inline(__always)
    mutating func note(_ kind: @autoclosure () -> PipelineEvent.Kind) {
        guard keepsEvents else { return }
        pending.append(kind())
    }

    /// - Parameter gauges: the queue lengths and byte counts from now on; nil if they are not to be logged.
    mutating func stamp(at now: MonotonicTime, _ gauges: PipelineEvent.Gauges?) {
        if let gauges, gauges != self.gauges {
            self.gauges = gauges
            pending.append(.gauges(gauges))
        }
        for kind in pending { taken.events.append(PipelineEvent(time: now, kind: kind)) }
        pending.removeAll(keepingCapacity: true)
        guard taken.events.count > capacity else { return }
        // Half of the events are dropped at once, so that a kept event is moved once and not whenever another event is added.
        let lost = taken.events.count - capacity / 2
        taken.events.removeFirst(lost)
        taken.lostCount += lost
    }
}
