#if canImport(CJemalloc)
import CJemalloc
import Foundation
#endif

/// The process's allocator: jemalloc, where the executable is linked with it.
enum Allocator {
    /// Prepares the allocator for image work; to be called first of all, before any other thread allocates.
    ///
    /// jemalloc gives the pages of a recycled block back to the system where it has to be zero, and takes them anew page by
    /// page: libvips, which asks for zeroed buffers, then pays five times the page faults. An arena whose extent hooks are
    /// not the built-in ones is zeroed by writing instead. So each arena gets a copy of them.
    static func configure() {
        #if canImport(CJemalloc)
        var arenaCount: UInt32 = 0
        var size = MemoryLayout<UInt32>.size
        var builtIn: UnsafeMutablePointer<extent_hooks_t>?
        var pointerSize = MemoryLayout.size(ofValue: builtIn)
        guard mallctl("opt.narenas", &arenaCount, &size, nil, 0) == 0,
            mallctl("arena.0.extent_hooks", &builtIn, &pointerSize, nil, 0) == 0, let builtIn
        else { return }
        // Lives as long as the process, as jemalloc requires.
        let hooks = UnsafeMutablePointer<extent_hooks_t>.allocate(capacity: 1)
        hooks.initialize(to: builtIn.pointee)
        // The built-in merge asks for its thread's cache, which allocates where the thread has only ever freed: under the
        // lock of the extents, it would wait for itself. All it decides is that blocks from mmap and from sbrk stay apart.
        if isWithoutSbrk { hooks.pointee.merge = { _, _, _, _, _, _, _ in false } }
        var installed: UnsafeMutablePointer<extent_hooks_t>? = hooks
        for arena in 0..<arenaCount {
            mallctl("arena.\(arena).extent_hooks", nil, nil, &installed, pointerSize)
        }
        #endif
    }

    #if canImport(CJemalloc)
    /// As JemallocOptions has it, unless the environment says otherwise.
    private static var isWithoutSbrk: Bool {
        var setting: UnsafePointer<CChar>?
        var size = MemoryLayout.size(ofValue: setting)
        return mallctl("opt.dss", &setting, &size, nil, 0) == 0 && setting.map { strcmp($0, "disabled") == 0 } ?? false
    }
    #endif
}
