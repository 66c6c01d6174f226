/// Counts of visible cells by their state, summed over frames.
public struct CellCounts: Sendable, Equatable {
    /// The number of frames.
    public var frames = 0
    /// The number of cell-frames that showed nothing.
    public var blank = 0
    /// The number of cell-frames that showed a placeholder.
    public var placeholder = 0
    /// The number of cell-frames that showed a degraded image.
    public var degraded = 0
    /// The number of cell-frames that showed the final image.
    public var final = 0

    /// Makes counts that are all 0.
    public init() {}

    /// The number of all cell-frames.
    public var cellFrames: Int { blank + placeholder + degraded + final }

    static func += (left: inout CellCounts, right: CellCounts) {
        left.frames += right.frames
        left.blank += right.blank
        left.placeholder += right.placeholder
        left.degraded += right.degraded
        left.final += right.final
    }
}
