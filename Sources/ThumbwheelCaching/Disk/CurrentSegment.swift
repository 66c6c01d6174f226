/// The segment to which a process appends, and how the next one is begun.
struct CurrentSegment {
    private let index: StoreIndex
    private let segments: SegmentFolder
    private let segmentByteCount: Int
    /// Its file; nil before the first value, and once the segment has been removed.
    private(set) var file: SegmentFile?
    /// The files of removed segments, which become those of the next ones.
    var reuse: SegmentReuse

    init(_ index: StoreIndex, _ segments: SegmentFolder, byteLimit: Int) {
        (self.index, self.segments) = (index, segments)
        segmentByteCount = StoreRules.segmentByteCount(byteLimit: byteLimit)
        reuse = SegmentReuse(segments, byteLimit: byteLimit)
    }

    /// Notes that a segment is being removed.
    mutating func noteRemoval(of number: Int64) {
        if file?.number == number { file = nil }
    }

    /// Closes the file. Look-ups open it again for reading.
    mutating func leave() {
        if let file { segments.close(file) }
        file = nil
    }

    /// Begins a segment, inside a transaction.
    mutating func begin() throws(StoreError) -> SegmentFile {
        let file = try reuse.make(try index.addSegment())
        _ = file.lock()
        self.file = file
        return file
    }

    /// The file for the next value, and the index of its segment in `list`. A new segment is begun if the current one
    /// is full, or if another process has removed it. The caller is in a transaction.
    ///
    /// - Parameter disappearing: a segment that is being removed in parts, to which nothing is appended.
    mutating func place(
        forBytes byteCount: Int, in list: inout [StoreIndex.Segment], except disappearing: Int64?
    ) throws(StoreError) -> (file: SegmentFile, index: Int) {
        if let file, let index = list.lastIndex(where: { $0.number == file.number }) {
            let end = list[index].byteCount
            if end == 0 || end + byteCount <= segmentByteCount { return (file, index) }
            // Nothing will be written over the bytes behind the last value.
            file.giveUp(from: end)
        }
        leave()
        if let file = unfinished(forBytes: byteCount, in: list, except: disappearing) {
            self.file = file
        } else {
            list.append(StoreIndex.Segment(number: try begin().number, byteCount: 0))
        }
        guard let file else { preconditionFailure("a segment has been begun") }
        return (file, list.count - 1)
    }

    /// The file of the newest segment, if it has room and no other process appends to it. So processes that run only for a
    /// short time do not each leave a small file.
    private func unfinished(
        forBytes byteCount: Int, in list: [StoreIndex.Segment], except disappearing: Int64?
    ) -> SegmentFile? {
        guard let newest = list.last, newest.number != disappearing, newest.byteCount + byteCount <= segmentByteCount,
            let file = try? segments.fileForAppending(newest.number), file.lock()
        else { return nil }
        return file
    }
}
