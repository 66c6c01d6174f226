/// What visible cells showed, summed over frames.
public struct CellCounts: Sendable, Equatable {
    public var frames = 0
    public var blank = 0
    public var placeholder = 0
    public var degraded = 0
    public var final = 0

    public init() {}

    public var cellFrames: Int { blank + placeholder + degraded + final }

    static func += (left: inout CellCounts, right: CellCounts) {
        left.frames += right.frames
        left.blank += right.blank
        left.placeholder += right.placeholder
        left.degraded += right.degraded
        left.final += right.final
    }
}
