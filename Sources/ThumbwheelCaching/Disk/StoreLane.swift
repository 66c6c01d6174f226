import ThumbwheelCore
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One of several ways into a store for look-ups: a connection to the index, and the counts of what came of its look-ups.
///
/// A thread that looks a value up holds the lock of one lane. Threads choose different lanes, so they neither wait for one
/// another nor write to the same memory.
final class StoreLane: Sendable {
    /// What a lane has counted.
    struct Counts {
        var hits = 0
        var misses = 0
        var damaged = 0
    }

    struct State {
        /// The connection; nil before the first look-up and after a failure.
        var reader: StoreReader?
        /// The failures of the store when the connection was opened. After another failure it is not used again.
        var generation = 0
        var counts = Counts()
        /// Values that were read for the first time since they were written, and are not noted in the index yet.
        var used: Set<StoreKey> = []
        var damaged: [(key: StoreKey, entry: StoreIndex.Entry)] = []
    }

    let state = Mutex(State())

    /// The number of first uses of a lane that wait until they are written down without any other occasion.
    static let usedLimit = 1_024

    /// The lane with which the calling thread begins, so that most threads have one of their own.
    static func first(of count: Int) -> Int {
        #if canImport(Darwin)
        let thread = UInt(bitPattern: pthread_self())
        #else
        let thread = UInt(pthread_self())
        #endif
        // Addresses of threads differ in their middle bits.
        return Int((thread &>> 12 &* 0x9E37_79B9) &>> 16 % UInt(count))
    }
}
