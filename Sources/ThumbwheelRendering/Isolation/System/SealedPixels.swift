#if os(Linux)
import CIsolation
import Glibc

/// Memory that two processes share and that neither of them can change any more.
enum SealedPixels {
    /// Copies bytes into new memory, and seals the memory so that no process can change it any more. Nil if the system
    /// has no more memory.
    static func make(of bytes: UnsafeRawBufferPointer) -> PassedDescriptor? {
        let number = tw_memfd()
        guard number >= 0 else { return nil }
        let memory = PassedDescriptor(number)
        var written = 0
        // Copies the bytes by `write`, because the kernel then fills the pages itself. Copying them through a mapping
        // would take longer, with a page fault for each page.
        while written < bytes.count {
            let count = write(number, bytes.baseAddress! + written, bytes.count - written)
            guard count > 0 else { return nil }
            written += count
        }
        return tw_add_seals(number) == 0 ? memory : nil
    }

    /// Maps memory that a decoder process has sent. Nil if the memory does not have exactly the expected size, or if
    /// the process could still change it.
    static func map(_ memory: PassedDescriptor, byteCount: Int) -> UnsafeMutableRawBufferPointer? {
        // Checks that the memory is sealed, so that the sender can no longer change its contents or size. The check
        // comes before the size is read, because memory without seals could shrink afterwards. Only memory files have
        // seals, so any other file is refused.
        guard tw_get_seals(memory.rawValue) & Int32(tw_seal_all) == Int32(tw_seal_all) else {
            return nil
        }
        var status = stat()
        guard fstat(memory.rawValue, &status) == 0, Int(status.st_size) == byteCount, byteCount > 0 else { return nil }
        let pages = mmap(nil, byteCount, PROT_READ, MAP_SHARED, memory.rawValue, 0)
        guard let pages, pages != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: pages, count: byteCount)
    }
}
#endif
