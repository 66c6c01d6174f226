#if THUMBWHEEL_TSAN
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Stands in for `Synchronization.Mutex` in the builds of `Scripts/tsan`: there, threads that contend are put in order by
/// system calls, of which the thread sanitizer knows nothing, so that it reports races that are none. It does know pthreads.
///
/// Unchecked, because `value` is read and written by whoever holds the mutex, and by nobody else.
package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private final class Storage {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        // Touched with `mutex` held, and by nobody otherwise.
        nonisolated(unsafe) var value: Value

        init(_ value: consuming Value) {
            self.value = value
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }

    private let storage: Storage

    package init(_ value: consuming sending Value) {
        storage = Storage(value)
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.mutex)
        defer { pthread_mutex_unlock(storage.mutex) }
        return try body(&storage.value)
    }
}
#else
import Synchronization

/// The one mutex of the package, named in one place so that a build for the thread sanitizer can have another.
package typealias Mutex = Synchronization.Mutex
#endif
