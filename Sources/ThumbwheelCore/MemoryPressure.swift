/// How short of memory the process is, and so how much of what can be made again has to go.
///
/// Each level asks for what the ones below it ask for, and more.
public enum MemoryPressure: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// There is memory enough.
    case none
    /// What was prefetched and never seen goes.
    case mild
    /// All that no window holds goes.
    case moderate
    /// Half the budget is left.
    case severe
    /// Only what is on screen stays, and only what is awaited is made, one image at a time.
    case critical

    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rawValue < right.rawValue }

    /// The next level, or the highest.
    var raised: MemoryPressure { MemoryPressure(rawValue: rawValue + 1) ?? .critical }
}
