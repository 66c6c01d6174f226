#if canImport(CJemalloc)
import CJemalloc
#endif

/// What a call takes of memory, by the allocator's own counts for this thread.
struct AllocationMeter {
    let allocations: UInt64
    /// The most that was allocated at once, to 64 KiB: jemalloc looks no more often.
    let peakByteCount: UInt64
    /// What was allocated and not freed while the result was there.
    let heldByteCount: UInt64

    /// Nil without jemalloc.
    init?(_ call: () throws -> Any) rethrows {
        #if canImport(CJemalloc)
        guard let held = Self.heldByteCount(), let before = AllocationCount.ofThisThread() else { return nil }
        guard mallctl("thread.peak.reset", nil, nil, nil, 0) == 0 else { return nil }
        let result = try call()
        guard let peak = Self.figure("thread.peak.read"), let after = AllocationCount.ofThisThread() else { return nil }
        guard let heldNow = Self.heldByteCount() else { return nil }
        Stopwatch.consume(result)
        allocations = after - before
        peakByteCount = peak
        // A call may free more than it allocates.
        heldByteCount = heldNow > held ? heldNow - held : 0
        #else
        return nil
        #endif
    }

    #if canImport(CJemalloc)
    private static func heldByteCount() -> UInt64? {
        guard let allocated = figure("thread.allocated"), let freed = figure("thread.deallocated") else { return nil }
        return allocated &- freed
    }

    private static func figure(_ name: String) -> UInt64? {
        var value: UInt64 = 0
        var size = MemoryLayout<UInt64>.size
        return mallctl(name, &value, &size, nil, 0) == 0 ? value : nil
    }
    #endif
}
