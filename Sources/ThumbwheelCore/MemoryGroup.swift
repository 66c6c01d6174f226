/// A control group with a memory controller, of either version.
struct MemoryGroup: Sendable {
    private enum Version {
        case one, two
    }

    private let files: ControlGroupFiles
    private let folder: String
    private let version: Version

    /// The groups that the process is in, from its own to the root; none where no memory controller shows itself.
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

    /// The share of the limit that is in use and that the system could not get back by dropping cached files; nil
    /// where there is no limit.
    var fill: Double? {
        guard let limit = limits.min(), limit > 0, let usage = number(in: usageFile) else { return nil }
        let key = version == .two ? "inactive_file" : "total_inactive_file"
        let droppable =
            files.contents(of: folder + "/memory.stat")
            .flatMap { ControlGroupFiles.number(beside: key, in: $0) } ?? 0
        return Double(max(0, usage - droppable)) / Double(limit)
    }

    /// How often the group has met its limit; nil where that is not counted.
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
