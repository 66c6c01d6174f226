#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Wakes a thread that waits for sockets.
final class WakePipe: Sendable {
    private let ends: (reading: Int32, writing: Int32)

    /// - Returns: nil if the process may not open more files.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.reading)
        close(ends.writing)
    }

    /// Ends the wait that is under way, or else the next one.
    func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes the thread as well.
        _ = write(ends.writing, &byte, 1)
    }

    /// Waits until `wake` is called, a socket is ready, or a time is over.
    ///
    /// - Parameters:
    ///   - socket: the socket; nil for none.
    ///   - writes: whether to wait until the socket takes bytes as well.
    ///   - milliseconds: the longest wait; nil to wait without an end.
    /// - Returns: what the socket is ready for.
    func wait(for socket: Int32?, writes: Bool, atMost milliseconds: Int32?) -> (reads: Bool, writes: Bool) {
        var entries = [
            pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket ?? -1, events: Int16(POLLIN | (writes ? POLLOUT : 0)), revents: 0),
        ]
        guard poll(&entries, 2, milliseconds ?? -1) > 0 else { return (false, false) }
        if entries[0].revents != 0 {
            var bytes: [UInt8] = Array(repeating: 0, count: 64)
            while read(ends.reading, &bytes, bytes.count) == bytes.count {}
        }
        let ready = Int32(entries[1].revents)
        // A socket that has failed says so when it is read.
        return (ready & ~Int32(POLLOUT) != 0, ready & Int32(POLLOUT) != 0)
    }
}
