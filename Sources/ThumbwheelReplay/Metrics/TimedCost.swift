import Thumbwheel

/// What stretches of work used, added up.
public struct TimedCost: Sendable {
    public private(set) var wallSeconds = 0.0
    public private(set) var cpuSeconds = 0.0
    public private(set) var minorFaults = 0

    public init() {}

    /// Runs `body` and adds what the whole process used meanwhile.
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
