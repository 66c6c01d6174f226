#if os(Linux)
import CIsolation
import Glibc

/// Memory in which a host places bytes of files for one decoder process, so that they need not go through a socket.
///
/// The process can write to the memory too, but harms only itself: the host never reads from it. Neither side can change
/// its size, so the host's mapping stays valid.
final class SharedWindow: Sendable {
    let descriptor: Int32
    // Only the thread that does the process's job writes to the memory, and a process has one job at a time.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// Makes a window of `MessageFormat.windowByteCount` bytes. Nil if the system has no more memory or descriptors.
    init?() {
        let number = tw_memfd()
        guard number >= 0 else { return nil }
        let byteCount = MessageFormat.windowByteCount
        guard ftruncate(number, byteCount) == 0, tw_seal_size(number) == 0,
            let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0), start != MAP_FAILED
        else {
            close(number)
            return nil
        }
        descriptor = number
        bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    deinit {
        munmap(bytes.baseAddress!, bytes.count)
        close(descriptor)
    }

    /// The room for `count` bytes at `place`; nil if they do not fit.
    func room(at place: Int, count: Int) -> UnsafeMutableRawBufferPointer? {
        guard place >= 0, count >= 0, place <= bytes.count, count <= bytes.count - place else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + count])
    }
}
#endif
