import Thumbwheel

/// Follows the process's memory through a run.
struct MemoryGauge {
    private let allocator = AllocatorStatistics()
    private let idleByteCount = ProcessUsage.residentByteCounts?.now ?? 0

    /// To be called once a frame.
    func read(into measured: inout ReplayRun.Measurements) {
        guard let allocated = allocator.allocatedByteCount else { return }
        measured.peakAllocatedByteCount = max(measured.peakAllocatedByteCount ?? 0, allocated)
    }

    func finish(_ measured: inout ReplayRun.Measurements) {
        measured.idleResidentByteCount = idleByteCount
        measured.peakResidentByteCount = ProcessUsage.residentByteCounts?.peak ?? 0
    }
}
