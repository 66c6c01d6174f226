#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Memory of several megabytes that is needed for a short time. The memory is zero at first, and uses pages of two
/// megabytes if the system has such pages.
///
/// A usual allocator gives blocks of this size back to the system as soon as they are freed. With small pages, the next
/// block then costs thousands of page faults, which take longer than resampling the picture.
struct HugePageMemory: ~Copyable {
    private static let pageByteCount = 2 << 20

    let byteCount: Int
    private let memory: UnsafeMutableRawPointer
    private let mappedByteCount: Int

    /// - Returns: nil if the system has no more memory.
    init?(byteCount: Int) {
        precondition(byteCount > 0)
        // The size of one large page is added, so that the memory can begin at the start of a large page.
        mappedByteCount = byteCount + Self.pageByteCount
        let memory = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.memory = memory
        self.byteCount = byteCount
        #if os(Linux)
        // If the system refuses large pages, it uses small pages.
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
