#if canImport(CJemalloc)
import CJemalloc
#endif

/// A part of the allocator's memory for one thread at a time. The small blocks of two threads with different arenas never lie in one
/// cache line. jemalloc and glibc give each thread its own part by default, but `JemallocOptions` has few of them.
///
/// Without jemalloc, an arena changes nothing.
struct ThreadArena: Sendable {
    private let number: UInt32?

    init() {
        #if canImport(CJemalloc)
        var number: UInt32 = 0
        var size = MemoryLayout<UInt32>.size
        self.number = mallctl("arenas.create", &number, &size, nil, 0) == 0 ? number : nil
        #else
        number = nil
        #endif
    }

    /// Runs `body`; what this thread allocates meanwhile comes from the arena.
    func run<Result>(_ body: () -> Result) -> Result {
        let former = number.flatMap(Self.switchThread)
        defer { _ = former.flatMap(Self.switchThread) }
        return body()
    }

    /// - Returns: the thread's former arena; nil if it stays in that one.
    private static func switchThread(to number: UInt32) -> UInt32? {
        #if canImport(CJemalloc)
        var (former, new) = (UInt32(0), number)
        var size = MemoryLayout<UInt32>.size
        // The thread's cache has blocks of the former arena.
        guard mallctl("thread.tcache.flush", nil, nil, nil, 0) == 0,
            mallctl("thread.arena", &former, &size, &new, size) == 0
        else { return nil }
        return former
        #else
        return nil
        #endif
    }
}
