#if canImport(CJemalloc)
import CJemalloc
#endif

/// The process's allocator: jemalloc, where the executable is linked with it.
enum Allocator {
    /// Prepares the allocator for image work; to be called first of all, before any other thread allocates.
    ///
    /// jemalloc gives the pages of a recycled block back to the system where it has to be zero, and takes them anew page by
    /// page: libvips, which asks for zeroed buffers, then pays five times the page faults. An arena whose extent hooks are
    /// not the built-in ones is zeroed by writing instead. So each arena gets hooks that only pass on to the built-in ones.
    static func configure() {
        #if canImport(CJemalloc)
        var arenaCount: UInt32 = 0
        var size = MemoryLayout<UInt32>.size
        guard mallctl("opt.narenas", &arenaCount, &size, nil, 0) == 0 else { return }
        for arena in 0..<arenaCount {
            let name = "arena.\(arena).extent_hooks"
            if arena == 0 {
                var current: UnsafeMutablePointer<extent_hooks_t>?
                var pointerSize = MemoryLayout.size(ofValue: current)
                guard mallctl(name, &current, &pointerSize, nil, 0) == 0, let current else { return }
                ExtentHooks.builtIn = current
            }
            var hooks: UnsafeMutablePointer<extent_hooks_t>? = ExtentHooks.passingOn
            mallctl(name, nil, nil, &hooks, MemoryLayout.size(ofValue: hooks))
        }
        #endif
    }
}
