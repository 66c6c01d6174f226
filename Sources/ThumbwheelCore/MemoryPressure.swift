/// How short of memory the process is, and so how many images that can be made again are evicted.
///
/// Each level frees all that the levels below it free, and more.
public enum MemoryPressure: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// There is enough memory.
    case none
    /// Images that were prefetched and never shown are evicted.
    case mild
    /// All images that no caching window holds are evicted.
    case moderate
    /// Half of the memory budget remains.
    case severe
    /// Only images on the screen are kept, and only images that are waited for are made, one at a time.
    case critical

    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rawValue < right.rawValue }

    /// The next higher level; `critical` for the highest.
    var raised: MemoryPressure { MemoryPressure(rawValue: rawValue + 1) ?? .critical }
}
