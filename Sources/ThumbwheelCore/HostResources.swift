import Foundation

/// The processors and the memory that the machine, or the container the process runs in, grants it.
///
/// Control groups of both versions are read under `root`, which tests replace; files that are missing or unreadable
/// mean no limit.
public struct HostResources: Sendable {
    /// Processors that may be used at once: the scheduler's affinity mask, cut to the control group's quota, at least 1.
    public let processorCount: Int
    /// Bytes of memory that may be used: the physical memory, cut to the control group's limit.
    public let memoryByteCount: Int

    /// The resources of this process, read once.
    public static let current = HostResources(root: "/")

    /// Reads what is granted now.
    ///
    /// - Parameter root: The folder that stands for `/`.
    public init(root: String) {
        let groups = ControlGroups(root: root)
        let information = ProcessInfo.processInfo
        processorCount = max(1, min(information.activeProcessorCount, groups.processorQuota ?? .max))
        memoryByteCount = min(Int(clamping: information.physicalMemory), groups.memoryLimit ?? .max)
    }
}
