#if os(Linux)
import CIsolation
import Glibc

/// A decoder process's view of the window in which its host places bytes of files (`SharedWindow`).
///
/// The window is mapped once and stays for all jobs of the process. Reading it by a system call would take longer: the
/// kernel looks up each page anew. A mapping for each job would take longer as well, with faults for all pages.
final class WindowMapping: Sendable {
    // The host writes to the memory while the process reads other parts of it. It has told which parts are complete.
    private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    /// Maps a window. Nil if the memory is not a window, or if there is no room for it.
    init?(_ window: PassedDescriptor) {
        let byteCount = MessageFormat.windowByteCount
        // Checks that the memory cannot shrink, before its size is read: the process would crash when it reads beyond
        // the end. Only memory files have seals.
        let seals = tw_get_seals(window.rawValue)
        guard seals >= 0, seals & Int32(tw_seal_shrink) != 0, lseek(window.rawValue, 0, SEEK_END) >= byteCount,
            let start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, window.rawValue, 0), start != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count)
    }

    /// Copies bytes from `place` on. The caller must not ask for more than the window has.
    func copyBytes(at place: Int, into buffer: UnsafeMutableRawBufferPointer) {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<place + buffer.count]))
    }
}
#endif
