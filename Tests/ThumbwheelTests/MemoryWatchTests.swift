import TestSupport
import Testing
import ThumbwheelCore

@testable import Thumbwheel

@Suite(.endsHangs) struct MemoryWatchTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()

    @Test("a host's own signal makes the manager give up what it keeps, until the signal is taken back")
    func hostSignal() async {
        let manager = ImageManager(renderer, workers: 1)
        manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(1))
        await log.waitForEnds(1)
        #expect(manager.statistics.cachedByteCount > 0)
        manager.setMemoryPressure(.moderate)
        #expect(manager.statistics.cachedByteCount == 0)
        #expect(manager.statistics.memoryPressure == .moderate)
        manager.setMemoryPressure(.none)
        #expect(manager.statistics.memoryPressure == .none)
    }

    @Test("what a control group says reaches the pipeline at each look")
    func systemSignal() async throws {
        let folder = try ScratchFolder()
        func use(_ bytes: Int) throws {
            try folder.write("proc/self/cgroup", "0::/\n".utf8)
            try folder.write("sys/fs/cgroup/memory.max", "1000\n".utf8)
            try folder.write("sys/fs/cgroup/memory.current", "\(bytes)\n".utf8)
        }
        try use(960)
        let manager = ImageManager(renderer, workers: 1, memoryBudget: 1 << 20)
        let watch = MemoryWatch(
            MemoryPressureGauge(root: folder.path), of: manager.pipeline, isTimed: false)
        watch.look(at: .zero)
        #expect(manager.statistics.memoryPressure == .severe)
        #expect(manager.statistics.budgetLimitByteCount == 1 << 19)
        try use(10)
        watch.look(at: MonotonicTime.zero.advanced(byMilliseconds: 10_000))
        #expect(manager.statistics.memoryPressure == .none)
        #expect(manager.statistics.budgetLimitByteCount == 1 << 20)
    }
}
