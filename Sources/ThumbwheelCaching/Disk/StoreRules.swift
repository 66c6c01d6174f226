/// The rules by which a store on disk stays below its byte limit. Simulations of stores follow the same rules.
package enum StoreRules {
    /// The largest length of a segment, in bytes. When the coldest segment is removed, kept values of up to twice this
    /// length are in memory.
    private static let longestSegmentByteCount = 64 << 20

    /// The cost, in microseconds per byte, from which on an unread value is worth keeping. A thumbnail of 12 KB is if
    /// it took 120 milliseconds to make.
    private static let expensiveCostPerByte = 10.0

    /// The length at which a new segment is begun, in bytes: a 64th of the byte limit, but at least 64 KiB.
    package static func segmentByteCount(byteLimit: Int) -> Int {
        min(max(byteLimit / 64, 64 << 10), longestSegmentByteCount)
    }

    /// The most bytes of values that are written again while one batch of values is written. If every value of several
    /// segments in a row were written again, the store would never become smaller.
    package static func keptByteLimit(byteLimit: Int) -> Int { 2 * segmentByteCount(byteLimit: byteLimit) }

    /// The most bytes that a value may take with its record.
    package static func valueByteLimit(byteLimit: Int) -> Int { byteLimit / 32 }

    /// The bytes that a value takes beside its own bytes: its record in the segment.
    package static let recordByteCount = SegmentRecord.byteCount

    /// Whether a value took so long to make that it is written again when its segment is removed.
    ///
    /// - Parameter cost: the microseconds that making the value took.
    package static func isExpensive(cost: UInt32, byteCount: Int) -> Bool {
        Double(cost) >= expensiveCostPerByte * Double(max(1, byteCount))
    }

    /// Whether the values of a removed segment that have been read since they were written there are written again.
    ///
    /// They are if they are at most half of the segment's values. Where most values have been read, a read does not tell one
    /// value from another: the segment is removed because it has not counted as read for the longest time (`countsAsRead`).
    package static func keepsUsed(_ usedCount: Int, of count: Int) -> Bool { 2 * usedCount <= count }

    /// Whether a segment counts as just read, so that other segments are removed before it: once a sixteenth of its bytes
    /// has been read since it was last counted. A few reads do not keep a segment; many reads of one popular value do, because
    /// its bytes count as often as they were read.
    ///
    /// - Parameter readByteCount: the bytes that have been read, each as often as it was read.
    package static func countsAsRead(_ readByteCount: Int, ofSegmentWith byteCount: Int) -> Bool {
        16 * readByteCount >= byteCount
    }

    /// The cost of a value after it has been written again. It shrinks each time, so that an expensive value that is
    /// never read is lost in the end.
    package static func aged(_ cost: UInt32) -> UInt32 { cost / 4 }
}
