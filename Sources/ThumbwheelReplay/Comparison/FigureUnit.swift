/// The units of figures of a `thumbwheel.counts/1` document.
public enum FigureUnit: String, Codable, Sendable, CaseIterable {
    /// Machine instructions, counted by callgrind.
    case instructions
    /// Calls of the allocator.
    case allocations
    /// Bytes of memory.
    case bytes
    /// Look-ups that the cache could not answer.
    case misses
    /// Visible cells, summed over frames.
    case cellFrames = "cell-frames"
    /// Of a clock that jumps from event to event: a latency that no machine makes longer or shorter.
    case virtualMilliseconds = "virtual milliseconds"
    /// Of a real clock: the only unit whose figures differ from run to run.
    case nanoseconds

    /// The share by which two builds of the same sources may differ on one machine.
    ///
    /// Instructions differ by 1 % at most where code moves by a change elsewhere; the other counts are equal to the last
    /// digit, and what they are given is what a change may cost that is made for another's sake.
    var toleranceOnOneMachine: Double {
        switch self {
        case .allocations: 0.01
        case .instructions, .bytes: 0.02
        case .misses, .cellFrames, .virtualMilliseconds: 0.03
        case .nanoseconds: 0.1
        }
    }

    /// The same for two machines that may not agree on a processor, or on the last bit of a logarithm.
    var toleranceOnAnyMachine: Double {
        switch self {
        case .instructions, .virtualMilliseconds, .misses, .cellFrames: 0.05
        case .allocations, .bytes, .nanoseconds: toleranceOnOneMachine
        }
    }
}
