/// The units of figures of a `thumbwheel.counts/1` document.
public enum FigureUnit: String, Codable, Sendable, CaseIterable {
    /// Machine instructions, counted by callgrind.
    case instructions
    /// Calls of the memory allocator.
    case allocations
    /// Bytes of memory.
    case bytes
    /// Look-ups that the cache could not answer.
    case misses
    /// The number of visible cells, summed over frames.
    case cellFrames = "cell-frames"
    /// Milliseconds of a clock that jumps from event to event, so that no machine makes a latency longer or shorter.
    case virtualMilliseconds = "virtual milliseconds"
    /// Nanoseconds of a real clock: the only unit whose figures differ from run to run.
    case nanoseconds

    /// The share by which two builds of the same sources may differ on one machine.
    ///
    /// Counts of instructions differ by 1 % at most if a change elsewhere moves the code. The other counts are equal to the
    /// last digit; their tolerance is the cost that a change may have for the sake of another gain.
    var toleranceOnOneMachine: Double {
        switch self {
        case .allocations: 0.01
        case .instructions, .bytes: 0.02
        case .misses, .cellFrames, .virtualMilliseconds: 0.03
        case .nanoseconds: 0.1
        }
    }

    /// The share by which two builds of the same sources may differ on two machines, which may have different processors or
    /// differ in the last bit of a logarithm.
    var toleranceOnAnyMachine: Double {
        switch self {
        case .instructions, .virtualMilliseconds, .misses, .cellFrames: 0.05
        case .allocations, .bytes, .nanoseconds: toleranceOnOneMachine
        }
    }
}
