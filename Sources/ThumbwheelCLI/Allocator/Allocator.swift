#if canImport(CJemalloc)
import CJemalloc
import Foundation

/// The built-in hook that maps memory, and the number of the arena of large blocks. They are set once, before there is a
/// second thread; the hook is a C function, which cannot capture them.
nonisolated(unsafe) private var builtInHook: (allocation: extent_hooks_t.Allocation?, largeArena: UInt32) = (nil, .max)

extension extent_hooks_t {
    fileprivate typealias Allocation =
        @convention(c) (
            UnsafeMutablePointer<extent_hooks_t>?, UnsafeMutableRawPointer?, Int, Int, UnsafeMutablePointer<Bool>?,
            UnsafeMutablePointer<Bool>?, UInt32
        ) -> UnsafeMutableRawPointer?
}
#endif

/// The process's allocator: jemalloc, where the executable is linked with it.
enum Allocator {
    /// Prepares the allocator for image work; to be called first of all, before any other thread allocates.
    ///
    /// jemalloc gives the pages of a recycled block back to the system where it has to be zero, and takes them anew page by
    /// page: libvips, which asks for zeroed buffers, then pays five times the page faults. An arena whose extent hooks are
    /// not the built-in ones is zeroed by writing instead. So each arena gets a copy of them.
    ///
    /// Decoders ask for blocks of as many bytes as a picture has pixels, and more. jemalloc keeps these in an arena of
    /// their own, which gives their pages back as soon as they are freed. Ten thousand pages of the usual size take a
    /// tenth to a quarter of a decode's time, so such blocks get large pages where the system has them.
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
        // The arena of large blocks follows the others.
        builtInHook = (builtIn.pointee.alloc, arenaCount)
        hooks.pointee.alloc = { hooks, address, size, alignment, isZero, isCommitted, arena in
            let (allocation, largeArena) = builtInHook
            let isLarge = address == nil && arena == largeArena
            let memory = allocation?(
                hooks, address, size, isLarge ? max(alignment, Allocator.largePageByteCount) : alignment, isZero,
                isCommitted, arena)
            #if os(Linux)
            if isLarge, let memory { madvise(memory, size, MADV_HUGEPAGE) }
            #endif
            return memory
        }
        var installed: UnsafeMutablePointer<extent_hooks_t>? = hooks
        // The arena of large blocks exists once there has been a block. The compiler would leave `malloc` and `free` out.
        if let block = mallocx(largeByteCount, 0) { dallocx(block, 0) }
        for arena in 0...arenaCount {
            mallctl("arena.\(arena).extent_hooks", nil, nil, &installed, pointerSize)
        }
        #endif
    }

    #if canImport(CJemalloc)
    /// The least size of a block that jemalloc keeps in the arena of large blocks (`opt.oversize_threshold`).
    private static let largeByteCount = 8 << 20
    private static let largePageByteCount = 2 << 20

    /// As JemallocOptions has it, unless the environment says otherwise.
    private static var isWithoutSbrk: Bool {
        var setting: UnsafePointer<CChar>?
        var size = MemoryLayout.size(ofValue: setting)
        return mallctl("opt.dss", &setting, &size, nil, 0) == 0 && setting.map { strcmp($0, "disabled") == 0 } ?? false
    }
    #endif
}
