import Thumbwheel

/// Follows the process's memory through a run.
struct MemoryGauge {
    private let allocator = AllocatorStatistics()
    private let idle = ProcessUsage.residentByteCounts
    /// Once a second: how much of the run was over, and the anonymous memory that was resident.
    private var samples: [(fraction: Double, byteCount: Int)] = []

    /// To be called once a frame.
    func read(into measured: inout ReplayRun.Measurements) {
        guard let allocated = allocator.allocatedByteCount else { return }
        measured.peakAllocatedByteCount = max(measured.peakAllocatedByteCount ?? 0, allocated)
    }

    /// To be called once a second.
    ///
    /// - Parameter fraction: how much of the run is over.
    mutating func sample(at fraction: Double) {
        if let now = ProcessUsage.residentByteCounts { samples.append((fraction, now.anonymous)) }
    }

    func finish(_ measured: inout ReplayRun.Measurements) {
        measured.idleResidentByteCount = idle?.now ?? 0
        measured.peakResidentByteCount = ProcessUsage.residentByteCounts?.peak ?? 0
    }

    /// To be called when the library has given up all it had: what is left then, beyond what was there before, is what the
    /// run keeps of itself. That has grown with the run.
    func finishWithoutLibrary(_ measured: inout ReplayRun.Measurements) {
        guard let idle, let now = ProcessUsage.residentByteCounts else { return }
        let history = max(0, now.anonymous - idle.anonymous)
        measured.peakLibraryByteCount = samples.map { fraction, byteCount in
            byteCount - idle.anonymous - Int(Double(history) * fraction)
        }.max()
    }
}
