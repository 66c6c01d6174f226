/// A job's place in the order of work: a job of smaller rank goes first.
///
/// The type is public for the same reason as `JobID`.
public struct JobRank: Comparable, Hashable, Sendable {
    /// The kind of image that the job makes for the waiting requests.
    public enum Stage: Int, Sendable {
        /// A first, cheap image. Every waiting cell gets its first image before any cell gets its final one.
        case degraded
        case final
    }

    // Properties of a whole word come first, so that a heap's element can put a slot number into the bytes left at the
    // end.

    /// The urgency that the caller supplies: a distance from the screen edge at which scrolling reveals cells, or a
    /// deadline. Smaller values go first. NaN goes last, because ranks must have an order.
    public var urgency: Double {
        didSet { urgency = Self.ordered(urgency) }
    }
    /// Decides between jobs that are equal in all else: the number of the request, negated if the newest request goes
    /// first.
    public var sequence: Int64
    public var priority: RequestPriority
    public var stage: Stage
    /// Whether no request waits for the outcome yet: the job is done in case a request comes later.
    public var isSpeculative: Bool
    /// Whether the work ends soon after it is told to stop. A scheduler runs only a bounded number of unstoppable jobs
    /// at once. This property has no part in the order.
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

    /// The urgency as it counts in the order: infinity for NaN, which has no place in an order.
    package static func ordered(_ urgency: Double) -> Double { urgency.isNaN ? .infinity : urgency }

    public static func < (left: JobRank, right: JobRank) -> Bool {
        if left.priority != right.priority { return left.priority < right.priority }
        if left.stage != right.stage { return left.stage.rawValue < right.stage.rawValue }
        if left.isSpeculative != right.isSpeculative { return right.isSpeculative }
        if left.urgency != right.urgency { return left.urgency < right.urgency }
        return left.sequence < right.sequence
    }
}
