/// A job's place in the order of work: the job with the smallest rank goes first.
///
/// The type is public, although no product exports it, so that Swift can inline its functions in other modules.
public struct JobRank: Comparable, Hashable, Sendable {
    /// The kind of image that the job makes for the waiting requests.
    public enum Stage: Int, Sendable {
        /// A degraded image, which is cheap. Every waiting cell gets its degraded image before any cell gets its final
        /// one.
        case degraded
        case final
    }

    // Properties of a whole word come first, so that an element of a heap can store a slot number in the bytes that
    // remain at the end.

    /// The urgency from the caller, for example the distance from the screen edge at which cells appear, or a deadline.
    /// Smaller values go first. NaN counts as infinity, because NaN has no place in an order.
    public var urgency: Double {
        didSet { urgency = Self.ordered(urgency) }
    }
    /// Decides between jobs that are otherwise equal: the number of the request, negated if the newest request goes
    /// first.
    public var sequence: Int64
    public var priority: RequestPriority
    public var stage: Stage
    /// Whether no request waits for the result: the job is done in advance, in case a request comes later.
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
