#if canImport(CJemalloc)
import CJemalloc
#endif

/// How often the process has asked its allocator for memory, where that tells.
enum AllocationCount {
    /// All requests so far; those of other threads may be missing that still lie in their caches. Nil without jemalloc.
    static func ofThisThread() -> UInt64? {
        #if canImport(CJemalloc)
        // A thread's own counts are handed over when its cache is emptied, and figures stand still between epochs.
        guard mallctl("thread.tcache.flush", nil, nil, nil, 0) == 0 else { return nil }
        var epoch: UInt64 = 1
        guard mallctl("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size) == 0 else { return nil }
        var total: UInt64 = 0
        for size in ["small", "large"] {
            var count: UInt64 = 0
            var byteCount = MemoryLayout<UInt64>.size
            // 4096 stands for all arenas (jemalloc(3), MALLCTL_ARENAS_ALL).
            guard mallctl("stats.arenas.4096.\(size).nrequests", &count, &byteCount, nil, 0) == 0 else { return nil }
            total += count
        }
        return total
        #else
        return nil
        #endif
    }
}
