#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time at which a rendition was used, by the machine's monotonic clock. It serves only to order the uses on all
/// threads.
struct UseTime: Comparable, Sendable {
    private let nanoseconds: UInt64

    /// The present time. Every cache hit reads the time, so reading it must be fast: it takes half as long as
    /// `MonotonicTime.now`.
    static var now: UseTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UseTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    static func < (left: UseTime, right: UseTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
