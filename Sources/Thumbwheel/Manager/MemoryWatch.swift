import ThumbwheelCore
import ThumbwheelLocks

/// Tells a pipeline once a second how short memory is, and has free pages returned to the system.
///
/// It reads counters, so that nothing is lost between two looks; what a trigger would bring is an earlier look.
final class MemoryWatch: Sendable {
    private let gauge: Mutex<MemoryPressureGauge>
    private let heap = AllocatorStatistics()
    private let pipeline: ImagePipeline
    private let alarm = Mutex<AlarmClock.Alarm?>(nil)
    private static let interval = Duration.seconds(1)

    /// - Parameter isTimed: whether the watch checks memory periodically.
    init(_ gauge: MemoryPressureGauge, of pipeline: ImagePipeline, isTimed: Bool) {
        self.gauge = Mutex(gauge)
        self.pipeline = pipeline
        guard isTimed else { return }
        // Giving pages back takes too long for the clock's thread.
        let alarm = AlarmClock.shared.alarm { [weak self] in
            BlockingThreads.reads.run { [weak self] in self?.lookRegularly() }
        }
        self.alarm.withLock { $0 = alarm }
        alarm.set(at: .now.advanced(by: Self.interval))
    }

    private func lookRegularly() {
        look(at: .now)
        alarm.withLock { $0 }?.set(at: .now.advanced(by: Self.interval))
    }

    func look(at now: MonotonicTime) {
        setPressure(gauge.withLock { $0.read(at: now) }, from: .system)
        returnSlack()
    }

    func setPressure(_ level: MemoryPressure, from source: MemoryPressureSource) {
        let (wasKnown, before) = pipeline.read { ($0.memoryPressure(of: source) == level, $0.cachedByteCount) }
        guard !wasKnown || level > .none else { return }
        let after = pipeline.apply { state, now in
            state.setMemoryPressure(level, from: source, at: now)
            return state.cachedByteCount
        }
        // By now the array of actions has been freed, and the evicted images with it. When pressure begins, pages that
        // have been free for longer are returned as well.
        if after < before || !wasKnown && level > .none { heap.returnFreePages() }
    }

    /// Limits the free memory that the allocator keeps, which no budget pays for.
    private func returnSlack() {
        guard let resident = heap.residentByteCount, let allocated = heap.allocatedByteCount else { return }
        let budget = pipeline.read { $0.configuration.budget }
        if resident - allocated > max(8 << 20, budget / 10) { heap.returnFreePages() }
    }
}
