#if canImport(CJemalloc)
import CJemalloc

/// jemalloc extent hooks that do what the built-in ones do, by calling them.
enum ExtentHooks {
    /// Written once, before the hooks are installed and while the process has one thread; read only by the hooks.
    nonisolated(unsafe) static var builtIn: UnsafeMutablePointer<extent_hooks_t>!

    /// Lives as long as the process, as jemalloc requires; never written after its initialization.
    nonisolated(unsafe) static let passingOn: UnsafeMutablePointer<extent_hooks_t> = {
        let hooks = UnsafeMutablePointer<extent_hooks_t>.allocate(capacity: 1)
        hooks.initialize(
            to: extent_hooks_t(
                alloc: { _, address, size, alignment, zero, commit, arena in
                    builtIn.pointee.alloc(builtIn, address, size, alignment, zero, commit, arena)
                },
                dalloc: { _, address, size, isCommitted, arena in
                    builtIn.pointee.dalloc?(builtIn, address, size, isCommitted, arena) ?? true
                },
                destroy: { _, address, size, isCommitted, arena in
                    builtIn.pointee.destroy?(builtIn, address, size, isCommitted, arena)
                },
                commit: { _, address, size, offset, length, arena in
                    builtIn.pointee.commit?(builtIn, address, size, offset, length, arena) ?? true
                },
                decommit: { _, address, size, offset, length, arena in
                    builtIn.pointee.decommit?(builtIn, address, size, offset, length, arena) ?? true
                },
                purge_lazy: { _, address, size, offset, length, arena in
                    builtIn.pointee.purge_lazy?(builtIn, address, size, offset, length, arena) ?? true
                },
                purge_forced: { _, address, size, offset, length, arena in
                    builtIn.pointee.purge_forced?(builtIn, address, size, offset, length, arena) ?? true
                },
                split: { _, address, size, sizeA, sizeB, isCommitted, arena in
                    builtIn.pointee.split?(builtIn, address, size, sizeA, sizeB, isCommitted, arena) ?? true
                },
                merge: { _, addressA, sizeA, addressB, sizeB, isCommitted, arena in
                    builtIn.pointee.merge?(builtIn, addressA, sizeA, addressB, sizeB, isCommitted, arena) ?? true
                }))
        return hooks
    }()
}
#endif
