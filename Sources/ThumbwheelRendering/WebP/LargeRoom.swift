#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Bytes by the megabyte for a while, zero at first, in pages of two megabytes where the system has such.
///
/// An allocator gives rooms as large as this back to the system at once; the thousands of page faults that the next one costs
/// take longer than resampling its picture does.
struct LargeRoom: ~Copyable {
    private static let pageByteCount = 2 << 20

    let byteCount: Int
    private let memory: UnsafeMutableRawPointer
    private let mappedByteCount: Int

    /// - Returns: nil if the system has no more memory.
    init?(byteCount: Int) {
        precondition(byteCount > 0)
        // One page more, to begin where one does.
        mappedByteCount = byteCount + Self.pageByteCount
        let memory = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.memory = memory
        self.byteCount = byteCount
        #if os(Linux)
        // Where it is refused, pages are small.
        if byteCount >= Self.pageByteCount { madvise(memory, mappedByteCount, MADV_HUGEPAGE) }
        #endif
    }

    deinit {
        munmap(memory, mappedByteCount)
    }

    var start: UnsafeMutablePointer<UInt8> {
        memory.alignedUp(toMultipleOf: Self.pageByteCount).assumingMemoryBound(to: UInt8.self)
    }
}
