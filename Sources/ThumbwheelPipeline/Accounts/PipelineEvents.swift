/// The events that `takeEvents` returns.
public struct PipelineEvents: Sendable, Equatable {
    /// The events in the order in which they happened.
    public internal(set) var events: [PipelineEvent] = []
    /// The number of earlier events that were dropped because they were not taken in time.
    public internal(set) var lostCount = 0

    package init() {}
}
