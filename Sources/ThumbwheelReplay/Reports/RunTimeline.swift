/// A run's frames, gathered into the columns of a picture.
struct RunTimeline: Sendable {
    struct Column: Sendable {
        var counts = CellCounts()
        /// The most of its frames: a peak over the budget must not be averaged away.
        var cachedByteCount = 0
    }

    /// No screen shows more, and an hour of frames must make no larger a file than a minute.
    static let columnLimit = 480

    private(set) var columns: [Column]

    /// - Parameter frameCount: the frames of the longest run in the picture: all runs share its columns, and so a time
    ///   axis.
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

    /// Of each column, the share of its cells that `count` picks; 0 where nothing was visible.
    func shares(_ count: (CellCounts) -> Int) -> [Double] {
        columns.map { column in
            let cellFrames = column.counts.cellFrames
            return cellFrames > 0 ? Double(count(column.counts)) / Double(cellFrames) : 0
        }
    }
}
