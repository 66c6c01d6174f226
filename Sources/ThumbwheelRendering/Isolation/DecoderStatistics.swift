/// Counts of an image manager's decoder processes and of their jobs, and the protections under which these processes
/// run, such as the filter of system calls.
public struct DecoderStatistics: Sendable, Equatable {
    /// Processes that were started with all required protections.
    public var started = 0
    /// Processes that got no job, because the system did not grant them a protection without which none gets one
    /// (`callFilter`, `resourceLimits`, `noNewPrivileges`).
    public var refused = 0
    /// Processes that wait for a job at this moment.
    public var idle = 0
    /// Jobs that have ended, in whatever way.
    public var jobs = 0
    /// Processes that were ended because their job was cancelled.
    public var cancelled = 0
    /// Processes that were ended because their job took longer than `RenderLimits.duration`.
    public var overdue = 0
    /// Processes that crashed, or that were ended because they broke the protocol.
    public var crashed = 0
    /// The protections of the latest process. The set is empty before the first process has greeted the host.
    public var containment: Containment = []

    /// Makes counts that are 0.
    public init() {}

    /// The protections that this system does not grant. The set is empty before the first process has greeted the host.
    public var missingProtections: Containment {
        containment.isEmpty && refused == 0 ? [] : Containment.all.subtracting(containment)
    }
}
