import Foundation
import TestSupport
import Testing

@testable import ThumbwheelCore

@Suite struct HostResourcesTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func write(_ files: [String: String]) throws -> ControlGroups {
        for (name, text) in files { try folder.write(name, text.utf8) }
        return ControlGroups(root: folder.path)
    }

    @Test("without any files there is no limit, and the host's own numbers count")
    func noFiles() {
        let groups = ControlGroups(root: folder.path)
        #expect(groups.processorQuota == nil)
        #expect(groups.memoryLimit == nil)
        let resources = HostResources(root: folder.path)
        #expect(resources.processorCount == ProcessInfo.processInfo.activeProcessorCount)
        #expect(resources.memoryByteCount == Int(ProcessInfo.processInfo.physicalMemory))
        #expect(HostResources(root: folder.path + "/nowhere").processorCount >= 1)
    }

    @Test("version 2: the strictest group on the way to the root counts, quotas rounded up")
    func version2() throws {
        let groups = try write([
            "proc/self/cgroup": "0::/system.slice/photos.service\n",
            "sys/fs/cgroup/system.slice/photos.service/memory.max": "max\n",
            "sys/fs/cgroup/system.slice/memory.max": "1073741824\n",
            "sys/fs/cgroup/memory.max": "4294967296\n",
            "sys/fs/cgroup/system.slice/photos.service/cpu.max": "150000 100000\n",
            "sys/fs/cgroup/system.slice/cpu.max": "max 100000\n",
        ])
        #expect(groups.memoryLimit == 1 << 30)
        #expect(groups.processorQuota == 2)
    }

    @Test("version 2 inside a container: the group's path is not visible, the files lie at the mount's root")
    func container() throws {
        let groups = try write([
            "proc/self/cgroup": "0::/docker/0123456789abcdef\n",
            "sys/fs/cgroup/memory.max": "536870912", "sys/fs/cgroup/cpu.max": "50000 100000",
        ])
        #expect(groups.memoryLimit == 512 << 20)
        #expect(groups.processorQuota == 1)
        #expect(HostResources(root: folder.path).processorCount == 1)
        #expect(HostResources(root: folder.path).memoryByteCount == 512 << 20)
    }

    @Test("version 1: each controller has a hierarchy of its own", arguments: ["cpu", "cpu,cpuacct"])
    func version1(mount: String) throws {
        let groups = try write([
            "proc/self/cgroup": "12:memory:/a/b\n7:cpu,cpuacct:/c\n3:freezer:/\n1:name=systemd:/x\n",
            "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "2147483648\n",
            "sys/fs/cgroup/\(mount)/c/cpu.cfs_quota_us": "250000\n",
            "sys/fs/cgroup/\(mount)/c/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/\(mount)/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/\(mount)/cpu.cfs_period_us": "100000\n",
        ])
        #expect(groups.memoryLimit == 2 << 30)
        #expect(groups.processorQuota == 3)
    }

    @Test("the mixture of both: what either says counts")
    func hybrid() throws {
        let groups = try write([
            "proc/self/cgroup": "5:memory:/g\n0::/g\n",
            "sys/fs/cgroup/memory/g/memory.limit_in_bytes": "3000000000\n",
            "sys/fs/cgroup/unified/g/cpu.max": "400000 100000\n",
            "sys/fs/cgroup/unified/g/memory.max": "2000000000\n",
        ])
        #expect(groups.memoryLimit == 2_000_000_000)
        #expect(groups.processorQuota == 4)
    }

    @Test(
        "text that makes no sense is no limit",
        arguments: ["", "\n\n", "nonsense", "0::", "::::", "0::/\n0", "x:memory,cpu", "-1:,:/../../.."])
    func nonsense(text: String) throws {
        let groups = try write([
            "proc/self/cgroup": text, "sys/fs/cgroup/memory.max": "much", "sys/fs/cgroup/cpu.max": "0 0",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "100000", "sys/fs/cgroup/memory/memory.limit_in_bytes": "",
        ])
        #expect(groups.memoryLimit == nil)
        #expect(groups.processorQuota == nil)
    }

    @Test("this machine has a processor and memory, and a time that has begun")
    func current() {
        #expect(HostResources.current.processorCount >= 1)
        #expect(HostResources.current.memoryByteCount > 1 << 20)
        #expect(MonotonicTime.now >= .zero)
    }
}
