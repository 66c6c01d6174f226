import Foundation

/// What this process holds at a moment.
package struct HostUsage: Sendable, CustomStringConvertible {
    /// Bytes of memory; 0 where the system does not tell.
    package var residentByteCount: Int
    package var descriptorCount: Int
    package var threadCount: Int

    package static var current: HostUsage {
        HostUsage(
            residentByteCount: PeakMemory.currentByteCount ?? 0, descriptorCount: entries(of: "/proc/self/fd").count,
            threadCount: entries(of: "/proc/self/task").count)
    }

    package var description: String {
        "\(residentByteCount >> 20) MiB, \(descriptorCount) descriptors, \(threadCount) threads"
    }

    /// What has grown since an earlier moment, in words. Allocators keep a part of what is freed, so a quarter more memory,
    /// and some megabytes, are no growth.
    func excess(over early: HostUsage) -> [String] {
        var faults: [String] = []
        let most = early.residentByteCount + early.residentByteCount / 4 + (32 << 20)
        if residentByteCount > most { faults.append("memory grew: \(early), then \(self)") }
        // A few descriptors belong to processes that are being replaced at this moment.
        if descriptorCount > early.descriptorCount + 16 { faults.append("descriptors grew: \(early), then \(self)") }
        if threadCount > early.threadCount + 16 { faults.append("threads grew: \(early), then \(self)") }
        return faults
    }

    /// All processes that descend from this one. Empty where the system does not tell.
    package static var descendants: Set<SeenProcess> {
        let processes = entries(of: "/proc").compactMap { Int($0) }.compactMap { SeenProcess($0) }
        var found: Set<Int> = [Int(getpid())]
        var count = 0
        while count < found.count {
            count = found.count
            for process in processes where found.contains(process.parent) { found.insert(process.number) }
        }
        return Set(processes.filter { found.contains($0.number) && $0.number != Int(getpid()) })
    }

    private static func entries(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
