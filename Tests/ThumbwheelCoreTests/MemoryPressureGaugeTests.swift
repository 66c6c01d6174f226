import Foundation
import TestSupport
import Testing

@testable import ThumbwheelCore

@Suite struct MemoryPressureGaugeTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func write(_ files: [String: String]) throws {
        for (name, text) in files { try folder.write(name, text.utf8) }
    }

    private func seconds(_ seconds: Double) -> MonotonicTime { .zero.advanced(byMilliseconds: seconds * 1000) }

    private func pressure(some: Int, full: Int) -> String {
        """
        some avg10=0.00 avg60=0.00 avg300=0.00 total=\(some)
        full avg10=0.00 avg60=0.00 avg300=0.00 total=\(full)

        """
    }

    @Test("without any files, or with files that say something else, there is no pressure")
    func nothingToRead() throws {
        var gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(1)) == .none)
        try write(["proc/pressure/memory": "what?\nsome\nfull total=x", "proc/self/cgroup": "::\n0\n\n0::/a"])
        gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(1)) == .none)
        #expect(gauge.read(at: seconds(2)) == .none)
    }

    @Test(
        "version 2: what cannot be dropped of what is in use, beside the limit",
        arguments: [(849, .none), (850, .mild), (900, .moderate), (950, .severe), (980, .critical), (1100, .critical)]
            as [(Int, MemoryPressure)])
    func fillOfVersion2(fill: Int, expected: MemoryPressure) throws {
        try write([
            "proc/self/cgroup": "0::/photos\n", "sys/fs/cgroup/photos/memory.max": "1000000\n",
            "sys/fs/cgroup/photos/memory.current": "\(fill * 1000 + 5000)\n",
            "sys/fs/cgroup/photos/memory.stat": "anon 7\nfile 9\ninactive_file 5000\nactive_file 3\n",
        ])
        var gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(1)) == expected)
    }

    @Test("version 1: the same, in the files of its own")
    func fillOfVersion1() throws {
        try write([
            "proc/self/cgroup": "4:memory:/a/b\n1:cpu:/\n0::/\n",
            "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/a/b/memory.usage_in_bytes": "960000\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1000000\n",
            "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "970000\n",
            "sys/fs/cgroup/memory/a/memory.stat": "inactive_file 1\ntotal_inactive_file 20000\n",
        ])
        var gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(1)) == .severe)
    }

    @Test(
        "a limit that is met raises the level of a group that is nearly full, and says nothing of one full of cached files"
    )
    func limitHits() throws {
        func files(current: Int, hits: Int) -> [String: String] {
            [
                "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1000", "sys/fs/cgroup/memory.high": "max",
                "sys/fs/cgroup/memory.current": "\(current)", "sys/fs/cgroup/memory.stat": "inactive_file 100\n",
                "sys/fs/cgroup/memory.events": "low 9\nhigh 0\nmax \(hits)\noom 0\noom_kill 0\n",
            ]
        }
        try write(files(current: 900, hits: 3))
        var gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(1)) == .none)
        try write(files(current: 700, hits: 9))
        #expect(gauge.read(at: seconds(2)) == .none)
        try write(files(current: 900, hits: 10))
        #expect(gauge.read(at: seconds(3)) == .mild)
    }

    @Test(
        "stalls: the share of time since the last reading in which some task, or all, waited for memory",
        arguments: [
            (9_000, 0, .none), (10_000, 0, .mild), (100_000, 49_999, .moderate), (60_000, 50_000, .severe),
            (900_000, 200_000, .critical),
        ] as [(Int, Int, MemoryPressure)])
    func stalls(some: Int, full: Int, expected: MemoryPressure) throws {
        try write(["proc/pressure/memory": pressure(some: 77_000_000, full: 50_000_000)])
        var gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(5)) == .none)
        try write(["proc/pressure/memory": pressure(some: 77_000_000 + some, full: 50_000_000 + full)])
        #expect(gauge.read(at: seconds(6)) == expected)
    }

    @Test("the sums of the process's own group go before the machine's")
    func ownGroup() throws {
        try write([
            "proc/self/cgroup": "4:memory:/x\n0::/x\n", "proc/pressure/memory": pressure(some: 0, full: 0),
            "sys/fs/cgroup/unified/x/memory.pressure": pressure(some: 0, full: 0),
        ])
        var gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(1)) == .none)
        try write(["proc/pressure/memory": pressure(some: 900_000, full: 900_000)])
        #expect(gauge.read(at: seconds(2)) == .none)
        try write(["sys/fs/cgroup/unified/x/memory.pressure": pressure(some: 150_000, full: 0)])
        #expect(gauge.read(at: seconds(3)) == .moderate)
    }

    @Test("a level stays for ten seconds, unless a higher one comes")
    func hold() throws {
        func fill(_ bytes: Int) throws {
            try write([
                "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1000",
                "sys/fs/cgroup/memory.current": "\(bytes)",
            ])
        }
        try fill(910)
        var gauge = MemoryPressureGauge(root: folder.path)
        #expect(gauge.read(at: seconds(0)) == .moderate)
        try fill(100)
        #expect(gauge.read(at: seconds(9)) == .moderate)
        try fill(990)
        #expect(gauge.read(at: seconds(9.5)) == .critical)
        try fill(860)
        #expect(gauge.read(at: seconds(19)) == .critical)
        #expect(gauge.read(at: seconds(20)) == .mild)
        try fill(100)
        #expect(gauge.read(at: seconds(31)) == .none)
    }
}
