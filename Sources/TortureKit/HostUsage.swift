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

    /// The numbers of all processes that descend from this one. Empty where the system does not tell.
    package static var descendants: Set<Int> {
        let parents = entries(of: "/proc").compactMap { Int($0) }.compactMap { process in
            parent(of: process).map { (process, $0) }
        }
        var found: Set<Int> = [Int(getpid())]
        var count = 0
        while count < found.count {
            count = found.count
            for (process, parent) in parents where found.contains(parent) { found.insert(process) }
        }
        return found.subtracting([Int(getpid())])
    }

    /// Whether a process ends within some seconds. A process that has ended, and whose end nobody has collected, is left
    /// over as well.
    static func hasEnded(_ process: Int, within seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while kill(pid_t(process), 0) == 0 {
            if Date() > deadline { return false }
            usleep(5000)
        }
        return true
    }

    private static func entries(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func parent(of process: Int) -> Int? {
        guard let bytes = try? FileHandle(forReadingAtPath: "/proc/\(process)/stat")?.readToEnd() else { return nil }
        // The name, in parentheses, may contain spaces. After it come the state and the parent.
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 1 ? Int(fields[1]) : nil
    }
}
