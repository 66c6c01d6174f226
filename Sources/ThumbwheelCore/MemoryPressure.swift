/// How short of memory the process is. The level decides how many images are evicted; evicted images can be made again.
///
/// Each level evicts everything that the levels below it evict, and more.
public enum MemoryPressure: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// There is enough memory.
    case none
    /// Images that were prefetched and never shown are evicted.
    case mild
    /// All images that no caching window wants are evicted.
    case moderate
    /// Half of the memory budget remains.
    case severe
    /// Only images on the screen stay in memory, and only images that requests wait for are made, one at a time.
    case critical

    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rawValue < right.rawValue }

    /// The next higher level; `critical` for the highest.
    var raised: MemoryPressure { MemoryPressure(rawValue: rawValue + 1) ?? .critical }
}
