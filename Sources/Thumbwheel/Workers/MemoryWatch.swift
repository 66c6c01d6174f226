import ThumbwheelCore
import ThumbwheelLocks

/// Tells a pipeline once a second how short memory is, and makes the allocator return free pages to the system.
///
/// The watch reads counters that grow with every shortage of memory, so it also notices a shortage between two
/// readings. Notifications by the system are not used: they would report the same shortages, only up to a second
/// earlier.
final class MemoryWatch: Sendable {
    private let gauge: Mutex<MemoryPressureGauge>
    private let heap = AllocatorStatistics()
    private let pipeline: ImagePipeline
    private let alarm = Mutex<AlarmClock.Alarm?>(nil)
    private static let interval = Duration.seconds(1)

    /// Makes a watch for one pipeline.
    ///
    /// - Parameter isTimed: whether the watch checks memory periodically.
    init(_ gauge: MemoryPressureGauge, of pipeline: ImagePipeline, isTimed: Bool) {
        self.gauge = Mutex(gauge)
        self.pipeline = pipeline
        guard isTimed else { return }
        // Returning pages to the system takes too long for the alarm clock's thread, so another thread does it.
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
        // Returns free pages to the system in two cases:
        //
        // - Setting the pressure has evicted images, so that `after` is less than `before`. Their memory is free, but
        //   the process still has its pages.
        // - A shortage of memory has just begun. The process may have many free pages from earlier times, even if no
        //   image was evicted now.
        if after < before || !wasKnown && level > .none { heap.returnFreePages() }
    }

    /// Makes the allocator return free pages to the system if they take more than a tenth of the memory budget, and
    /// more than 8 MB. The budget does not count free pages, so they could otherwise grow without limit.
    private func returnSlack() {
        guard let resident = heap.residentByteCount, let allocated = heap.allocatedByteCount else { return }
        let budget = pipeline.read { $0.configuration.budget }
        if resident - allocated > max(8 << 20, budget / 10) { heap.returnFreePages() }
    }
}
