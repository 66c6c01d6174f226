/// The bytes that a store takes on the disk, as one of its writers counts them.
struct StoreRoom {
    private let index: StoreIndex
    private let segments: SegmentFolder
    /// The bytes of the files of removed segments that other processes keep, as of the start of the transaction.
    private var strayByteCount = 0
    /// Whether files that killed processes have left behind have already been deleted.
    private var hasDeletedStrayFiles = false
    /// The bytes that SQLite's log counts for, as long as a batch is written. Removing values makes the log longer. If that
    /// counted at once, removing tiny values would take more room than it frees, and all values would be removed.
    private var logByteCount = 0

    init(_ index: StoreIndex, _ segments: SegmentFolder) { (self.index, self.segments) = (index, segments) }

    /// Counts the log from now on as it is now. A log that somebody keeps from being shortened counts in full.
    mutating func countLog() { logByteCount = max(index.logByteCount, index.usualLogByteCount) }

    /// Looks for segment files that the index does not know: another process keeps them to write over them, or has left them
    /// behind when it was killed. The first time, they are deleted, which a process that keeps one finds out when it wants to
    /// use the file. No process makes or renames a file meanwhile, because the caller is in a transaction that writes.
    mutating func lookForStrayFiles(except reuse: SegmentReuse) throws(StoreError) {
        let known = Set(try index.segments().map(\.number))
        let strays = segments.numbers.filter { !known.contains($0) && !reuse.keeps($0) }
        if hasDeletedStrayFiles {
            strayByteCount = strays.reduce(0) { $0 + segments.byteCount(of: $1) }
        } else {
            for number in strays { segments.delete(number) }
        }
        hasDeletedStrayFiles = true
    }

    /// The bytes that segments, index and log count for.
    func byteCount(with segments: [StoreIndex.Segment]) throws(StoreError) -> Int {
        segments.reduce(try index.databaseByteCount() + logByteCount) { $0 + $1.byteCount }
    }

    /// The bytes of files that belong to no value of the index: those behind the last value in the file of this process, which
    /// new values are written over, and those in files of others. Files that are being written to are among the newest.
    func unusedByteCounts(in list: [StoreIndex.Segment], current: SegmentFile?) -> (own: Int, others: Int) {
        list.suffix(8).reduce(into: (own: 0, others: strayByteCount)) { sums, segment in
            let byteCount = max(0, segments.byteCount(of: segment.number) - segment.byteCount)
            if segment.number == current?.number { sums.own += byteCount } else { sums.others += byteCount }
        }
    }
}
