/// A job's place in the order of work; less goes first.
///
/// Public for the same reason as `JobID`.
public struct JobRank: Comparable, Hashable, Sendable {
    /// What the job makes for those who wait.
    public enum Stage: Int, Sendable {
        /// A first, cheap image. Every waiting cell gets one before any gets its final.
        case degraded
        case final
    }

    // The words first: a heap puts a slot's number into the bytes that are left at the end.

    /// Supplied by the caller: the distance from the revealing edge, or a deadline. Less goes first, and what is not a
    /// number last: ranks must have an order.
    public var urgency: Double {
        didSet { urgency = Self.ordered(urgency) }
    }
    /// Where all else is equal: the number of the request, negative where the newest goes first.
    public var sequence: Int64
    public var priority: RequestPriority
    public var stage: Stage
    /// Whether nobody waits for the outcome: the job is done on the chance that somebody will.
    public var isSpeculative: Bool
    /// Whether the work ends soon after it is told to. Of that which does not, a scheduler runs a bounded number at once; it
    /// has no part in the order.
    public var isStoppable: Bool

    public init(
        priority: RequestPriority, stage: Stage, isSpeculative: Bool = false, isStoppable: Bool = true, urgency: Double,
        sequence: Int64
    ) {
        self.priority = priority
        self.stage = stage
        self.isSpeculative = isSpeculative
        self.isStoppable = isStoppable
        self.urgency = Self.ordered(urgency)
        self.sequence = sequence
    }

    /// An urgency that has a place in the order.
    package static func ordered(_ urgency: Double) -> Double { urgency.isNaN ? .infinity : urgency }

    public static func < (left: JobRank, right: JobRank) -> Bool {
        if left.priority != right.priority { return left.priority < right.priority }
        if left.stage != right.stage { return left.stage.rawValue < right.stage.rawValue }
        if left.isSpeculative != right.isSpeculative { return right.isSpeculative }
        if left.urgency != right.urgency { return left.urgency < right.urgency }
        return left.sequence < right.sequence
    }
}
