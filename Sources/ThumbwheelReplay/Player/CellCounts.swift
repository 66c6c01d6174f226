/// The states of visible cells, summed over frames.
public struct CellCounts: Sendable, Equatable {
    /// The number of frames.
    public var frames = 0
    /// Cell-frames that showed nothing.
    public var blank = 0
    /// Cell-frames that showed a placeholder.
    public var placeholder = 0
    /// Cell-frames that showed a degraded image.
    public var degraded = 0
    /// Cell-frames that showed the final image.
    public var final = 0

    /// Makes counts of no frame.
    public init() {}

    /// All cell-frames.
    public var cellFrames: Int { blank + placeholder + degraded + final }

    static func += (left: inout CellCounts, right: CellCounts) {
        left.frames += right.frames
        left.blank += right.blank
        left.placeholder += right.placeholder
        left.degraded += right.degraded
        left.final += right.final
    }
}
