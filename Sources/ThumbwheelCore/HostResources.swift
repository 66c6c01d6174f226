import Foundation

/// The processors and the memory that the machine or the container grants this process.
///
/// Control groups of both versions are read under the folder `root`, which tests replace. A file that is missing or
/// unreadable counts as no limit.
public struct HostResources: Sendable {
    /// The number of processors that may be used at once: the scheduler's affinity mask, limited by the control group's
    /// quota, at least 1.
    public let processorCount: Int
    /// The bytes of memory that may be used: the physical memory, limited by the control group's limit.
    public let memoryByteCount: Int

    /// The resources of this process, read once.
    public static let current = HostResources(root: "/")

    /// Reads the resources that the process is granted now.
    ///
    /// - Parameter root: The folder that is read in place of `/`.
    public init(root: String) {
        let groups = ControlGroups(root: root)
        let information = ProcessInfo.processInfo
        processorCount = max(1, min(information.activeProcessorCount, groups.processorQuota ?? .max))
        memoryByteCount = min(Int(clamping: information.physicalMemory), groups.memoryLimit ?? .max)
    }
}
