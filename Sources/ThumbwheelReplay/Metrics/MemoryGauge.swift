import Thumbwheel

/// Measures the process's memory during a run.
struct MemoryGauge {
    private let allocator = AllocatorStatistics()
    private let idle = ProcessUsage.residentByteCounts
    /// One sample for each second: the size of the run's own records, and the resident anonymous memory in bytes.
    private var samples: [(historySize: Int, byteCount: Int)] = []

    /// Reads the allocated memory; called once a frame.
    func read(into measured: inout ReplayRun.Measurements) {
        guard let allocated = allocator.allocatedByteCount else { return }
        measured.peakAllocatedByteCount = max(measured.peakAllocatedByteCount ?? 0, allocated)
    }

    /// Samples the resident memory; called once a second.
    ///
    /// - Parameter historySize: the size of the run's own records, in any unit.
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

    /// Computes the peak of the library's memory; called when the library has released all of it. The memory that is left then,
    /// beyond that of the idle process, belongs to the run's own records.
    ///
    /// - Parameter historySize: the size of the run's own records at the end, in the same unit.
    func finishWithoutLibrary(historySize: Int, _ measured: inout ReplayRun.Measurements) {
        guard let idle, let now = ProcessUsage.residentByteCounts else { return }
        let bytesPerUnit = Double(max(0, now.anonymous - idle.anonymous)) / Double(max(1, historySize))
        measured.peakLibraryByteCount = samples.map { historySize, byteCount in
            byteCount - idle.anonymous - Int(Double(historySize) * bytesPerUnit)
        }.max()
    }
}
