import Thumbwheel

/// Follows the process's memory through a run.
struct MemoryGauge {
    private let allocator = AllocatorStatistics()
    private let idle = ProcessUsage.residentByteCounts
    /// Once a second: how large the run's history was, and the anonymous memory that was resident.
    private var samples: [(historySize: Int, byteCount: Int)] = []

    /// To be called once a frame.
    func read(into measured: inout ReplayRun.Measurements) {
        guard let allocated = allocator.allocatedByteCount else { return }
        measured.peakAllocatedByteCount = max(measured.peakAllocatedByteCount ?? 0, allocated)
    }

    /// To be called once a second.
    ///
    /// - Parameter historySize: of what the run keeps of itself, in whatever unit.
    mutating func sample(historySize: Int, into measured: inout ReplayRun.Measurements) {
        if let resident = allocator.residentByteCount, let allocated = allocator.allocatedByteCount {
            measured.peakAllocatorOverheadByteCount = max(
                measured.peakAllocatorOverheadByteCount ?? 0, resident - allocated)
        }
        if let now = ProcessUsage.residentByteCounts { samples.append((historySize, now.anonymous)) }
    }

    func finish(_ measured: inout ReplayRun.Measurements) {
        measured.idleResidentByteCount = idle?.now ?? 0
        measured.peakResidentByteCount = ProcessUsage.residentByteCounts?.peak ?? 0
    }

    /// To be called when the library has given up all it had: what is left then, beyond what was there before, is what the
    /// run keeps of itself.
    ///
    /// - Parameter historySize: at the end.
    func finishWithoutLibrary(historySize: Int, _ measured: inout ReplayRun.Measurements) {
        guard let idle, let now = ProcessUsage.residentByteCounts else { return }
        let bytesPerUnit = Double(max(0, now.anonymous - idle.anonymous)) / Double(max(1, historySize))
        measured.peakLibraryByteCount = samples.map { historySize, byteCount in
            byteCount - idle.anonymous - Int(Double(historySize) * bytesPerUnit)
        }.max()
    }
}
