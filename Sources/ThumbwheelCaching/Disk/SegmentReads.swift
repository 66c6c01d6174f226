import ThumbwheelCore

/// What has been read of a segment since it was last counted.
struct SegmentReads: Sendable {
    /// The bytes of the values, each as often as it was read.
    private(set) var byteCount = 0
    /// The time of the last of these reads.
    private(set) var last = MonotonicTime.zero

    mutating func note(_ byteCount: Int, at time: MonotonicTime) {
        self.byteCount += byteCount
        last = max(last, time)
    }

    mutating func add(_ other: SegmentReads) { note(other.byteCount, at: other.last) }
}
