import Thumbwheel

/// The total cost of several pieces of work.
public struct TimedCost: Sendable {
    /// The time that passed, in seconds.
    public private(set) var wallSeconds = 0.0
    /// The processor time of all threads, in seconds.
    public private(set) var cpuSeconds = 0.0
    /// The number of page faults without input or output.
    public private(set) var minorFaults = 0

    /// Makes a cost of 0.
    public init() {}

    /// Runs `body` and adds the resources that the whole process used meanwhile.
    public mutating func measure<Result>(_ body: () -> Result) -> Result {
        let usage = ProcessUsage.current
        let start = MonotonicTime.now
        let result = body()
        wallSeconds += MonotonicTime.now.milliseconds(since: start) / 1000
        let after = ProcessUsage.current
        cpuSeconds += after.cpuSeconds - usage.cpuSeconds
        minorFaults += after.minorFaults - usage.minorFaults
        return result
    }
}
