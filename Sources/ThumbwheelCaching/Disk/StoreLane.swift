import ThumbwheelCore
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One of several connections of a store for look-ups, with the counts of their results.
///
/// A look-up locks one lane. Different threads use different lanes if possible, so that they neither wait for each
/// other nor write to the same memory.
final class StoreLane: Sendable {
    /// What a lane has counted.
    struct Counts {
        var hits = 0
        var misses = 0
        var damaged = 0
        var hitByteCount = 0
        /// The microseconds that making the found values had taken.
        var savedMicroseconds = 0
    }

    /// The connection of the lane. A look-up holds its lock while it waits for the disk.
    struct State {
        /// The connection; nil before the first look-up and after a failure.
        var reader: StoreReader?
        /// The number of failures of the store (`StoreCondition.generation`) at the time when the connection was
        /// opened. After another failure, the connection is not used again.
        var generation = 0

        /// Ends the read transaction, if there is one. A connection that fails at it is closed.
        mutating func endReading() {
            if (try? reader?.endReading()) == nil { reader = nil }
        }
    }

    /// What the look-ups of the lane have found. Nobody waits for the disk while it holds this lock.
    struct Notes {
        var counts = Counts()
        /// Values that were read for the first time since they were written. The index does not know it yet.
        var used = UsedRows()
        var damaged: [(key: StoreKey, entry: StoreIndex.Entry)] = []
        /// What has been read of each segment. The index does not know it yet.
        var reads: [Int64: SegmentReads] = [:]
        /// The bytes of `reads`, over all segments.
        var readByteCount = 0
    }

    let state = Mutex(State())
    let notes = Mutex(Notes())

    /// The number of rows in `used` at which the writing thread is woken to take them. It takes fewer with the next values.
    static let usedLimit = 4_096

    /// The lane that the calling thread tries first. Most threads get different numbers.
    static func first(of count: Int) -> Int {
        #if canImport(Darwin)
        let thread = UInt(bitPattern: pthread_self())
        #else
        let thread = UInt(pthread_self())
        #endif
        // Thread identifiers are addresses that differ mainly in their middle bits.
        return Int((thread &>> 12 &* 0x9E37_79B9) &>> 16 % UInt(count))
    }
}
