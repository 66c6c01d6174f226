/// A control group with a memory controller, of version 1 or 2.
struct MemoryGroup: Sendable {
    private enum Version {
        case one, two
    }

    private let files: ControlGroupFiles
    private let folder: String
    private let version: Version

    /// Returns the groups that the process is in, from its own to the root; none if no memory controller is visible.
    static func all(in files: ControlGroupFiles) -> [MemoryGroup] {
        files.memberships.flatMap { membership -> [MemoryGroup] in
            if membership.controllers.isEmpty {
                return ["sys/fs/cgroup", "sys/fs/cgroup/unified"].flatMap {
                    groups(files, mount: $0, path: membership.path, version: .two)
                }
            }
            guard membership.controllers.contains("memory") else { return [] }
            return groups(files, mount: "sys/fs/cgroup/memory", path: membership.path, version: .one)
        }
    }

    private static func groups(
        _ files: ControlGroupFiles, mount: String, path: String, version: Version
    ) -> [MemoryGroup] {
        files.folders(mount: mount, path: path)
            .map { MemoryGroup(files: files, folder: $0, version: version) }
            .filter { $0.number(in: $0.usageFile) != nil }
    }

    /// The share of the memory limit that is in use, without the cached files that the system could drop; nil if there
    /// is no limit.
    var fill: Double? {
        guard let limit = limits.min(), limit > 0, let usage = number(in: usageFile) else { return nil }
        let key = version == .two ? "inactive_file" : "total_inactive_file"
        let droppable =
            files.contents(of: folder + "/memory.stat")
            .flatMap { ControlGroupFiles.number(beside: key, in: $0) } ?? 0
        return Double(max(0, usage - droppable)) / Double(limit)
    }

    /// The number of times that the group has reached its limit; nil if that is not counted.
    var limitHits: Int? {
        switch version {
        case .one: number(in: "memory.failcnt")
        case .two:
            files.contents(of: folder + "/memory.events").map { text in
                ["high", "max", "oom"].compactMap { ControlGroupFiles.number(beside: $0, in: text) }.reduce(0, +)
            }
        }
    }

    private var usageFile: String { version == .two ? "memory.current" : "memory.usage_in_bytes" }

    private var limits: [Int] {
        let names = version == .two ? ["memory.max", "memory.high"] : ["memory.limit_in_bytes"]
        // Version 1 writes "no limit" as the largest number of whole pages.
        return names.compactMap { number(in: $0) }.filter { $0 < 1 << 62 }
    }

    private func number(in name: String) -> Int? {
        files.contents(of: folder + "/" + name).flatMap { Int($0) }
    }
}
