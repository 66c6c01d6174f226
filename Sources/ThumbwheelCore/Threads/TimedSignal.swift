#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A signal that one thread waits for, with an optional time-out.
///
/// Dispatch's semaphores measure time-outs by the date, which an administrator or a time server may set back by an
/// hour. This signal measures them by a clock that only goes forward.
///
/// The class is unchecked `Sendable`: `isRaised` is read and written with `mutex` held, and the pointers never change.
package final class TimedSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRaised = false

    package init() {
        pthread_mutex_init(mutex, nil)
        #if os(Linux)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #else
        pthread_cond_init(condition, nil)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Wakes the waiting thread, or lets the next call of `wait` return at once.
    package func raise() {
        pthread_mutex_lock(mutex)
        isRaised = true
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    /// Waits until the signal is raised or `time` comes, and lowers the signal.
    ///
    /// - Parameter time: the end of the wait; nil to wait for the signal alone.
    /// - Returns: whether the signal was raised.
    @discardableResult
    package func wait(until time: MonotonicTime? = nil) -> Bool {
        pthread_mutex_lock(mutex)
        defer {
            isRaised = false
            pthread_mutex_unlock(mutex)
        }
        while !isRaised {
            guard let time else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            let nanoseconds = time.nanoseconds - MonotonicTime.now.nanoseconds
            guard nanoseconds > 0 else { return false }
            wait(nanoseconds: min(nanoseconds, Self.longestWait))
        }
        return true
    }

    /// Longer waits are split into several, so that no sum of seconds overflows.
    private static let longestWait: Int64 = 86_400_000_000_000

    private func wait(nanoseconds: Int64) {
        #if os(Linux)
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let sum = Int64(end.tv_nsec) + nanoseconds
        end.tv_sec += Int(sum / 1_000_000_000)
        end.tv_nsec = Int(sum % 1_000_000_000)
        pthread_cond_timedwait(condition, mutex, &end)
        #else
        var duration = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        pthread_cond_timedwait_relative_np(condition, mutex, &duration)
        #endif
    }
}
