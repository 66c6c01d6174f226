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
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
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

    /// A mutex over a value that nobody else can reach.
    public init(_ value: consuming sending Value) {
        storage = Storage(value)
    }

    /// Runs a closure with the value while no other thread can.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.mutex)
        defer { pthread_mutex_unlock(storage.mutex) }
        return try body(&storage.value)
    }

    /// Runs a closure with the value if no other thread has the value now; otherwise returns nil at once.
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard pthread_mutex_trylock(storage.mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(storage.mutex) }
        return try body(&storage.value)
    }
}
#else
// The one mutex of the package, named in one place so that a build for the thread sanitizer can have another. It has a module
// of its own because members come with the module that a file imports: with `Synchronization` itself imported, the name
// would be ambiguous in the sanitizer's build. A `package` type around it would not be specialised in other modules.
@_exported import struct Synchronization.Mutex
#endif
