/// The frames of a run, gathered into the columns of a picture.
struct RunTimeline: Sendable {
    struct Column: Sendable {
        var counts = CellCounts()
        /// The most bytes in the cache in any frame of the column: a peak over the budget must not be averaged away.
        var cachedByteCount = 0
    }

    /// The greatest number of columns: no screen shows more, and an hour of frames must not make a larger file than a minute.
    static let columnLimit = 480

    private(set) var columns: [Column]

    /// - Parameter frameCount: the number of frames of the longest run in the picture. All runs share its columns, and so one
    ///   time axis.
    init(frames: [ReplayRun.Frame], frameCount: Int) {
        columns = []
        let columnCount = Self.columnCount(frameCount: frameCount)
        for (number, frame) in frames.enumerated() {
            let index = number * columnCount / frameCount
            while columns.count <= index { columns.append(Column()) }
            columns[index].counts += frame.counts
            columns[index].cachedByteCount = max(columns[index].cachedByteCount, frame.cachedByteCount)
        }
    }

    static func columnCount(frameCount: Int) -> Int { min(frameCount, columnLimit) }

    /// Returns, for each column, the share of its cell-frames that `count` picks; 0 if nothing was visible.
    func shares(_ count: (CellCounts) -> Int) -> [Double] {
        columns.map { column in
            let cellFrames = column.counts.cellFrames
            return cellFrames > 0 ? Double(count(column.counts)) / Double(cellFrames) : 0
        }
    }
}
