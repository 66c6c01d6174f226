#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time at which a rendition was used, by the machine's clock. It only puts uses in order, on all threads alike.
struct UseTime: Comparable, Sendable {
    private let nanoseconds: UInt64

    /// The present time, in half the time that `MonotonicTime.now` takes: the clock is read at every hit of the cache.
    static var now: UseTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UseTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    static func < (left: UseTime, right: UseTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
