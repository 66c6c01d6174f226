/// The limits of the control groups (versions 1, 2 and the mixture of both) that a process is in.
struct ControlGroups {
    /// The processor quota in whole processors, rounded up; nil if there is no quota.
    private(set) var processorQuota: Int?
    /// The memory limit in bytes; nil if there is none.
    private(set) var memoryLimit: Int?

    init(root: String) {
        let files = ControlGroupFiles(root: root)
        for membership in files.memberships {
            let (controllers, path) = (membership.controllers, membership.path)
            if controllers.isEmpty {
                for mount in ["sys/fs/cgroup", "sys/fs/cgroup/unified"] {
                    note(memory: files.smallest("memory.max", mount: mount, path: path))
                    note(quota: files.chain("cpu.max", mount: mount, path: path).compactMap(Self.quotaOfVersion2).min())
                }
            }
            if controllers.contains("memory") {
                note(memory: files.smallest("memory.limit_in_bytes", mount: "sys/fs/cgroup/memory", path: path))
            }
            if controllers.contains("cpu") {
                for mount in ["sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"] {
                    let quotas = files.chain("cpu.cfs_quota_us", mount: mount, path: path).map { Int($0) }
                    let periods = files.chain("cpu.cfs_period_us", mount: mount, path: path).map { Int($0) }
                    note(quota: zip(quotas, periods).compactMap { Self.processors(quota: $0, period: $1) }.min())
                }
            }
        }
    }

    private mutating func note(memory: Int?) {
        memoryLimit = [memoryLimit, memory].compactMap(\.self).min()
    }

    private mutating func note(quota: Int?) {
        processorQuota = [processorQuota, quota].compactMap(\.self).min()
    }

    private static func quotaOfVersion2(_ text: String) -> Int? {
        let fields = text.split(separator: " ").map { Int($0) }
        return fields.count == 2 ? processors(quota: fields[0], period: fields[1]) : nil
    }

    private static func processors(quota: Int?, period: Int?) -> Int? {
        guard let quota, let period, quota > 0, period > 0 else { return nil }
        return (quota + period - 1) / period
    }
}
