/// One thing that a grid asks of an image manager; items are numbered from the top.
public enum GridAction: Hashable, Sendable {
    /// An item has become visible. Less urgency goes first.
    case request(Int, urgency: Double)
    /// A visible item is now wanted sooner, or later.
    case setUrgency(Int, Double)
    /// An item has left the screen.
    case cancel(Int)
    /// The items are to be made ready; the first has this urgency, each further one 1 more. For those in the window
    /// already only the urgency changes.
    case startCaching([Int], urgency: Double)
    /// The items are no longer to be made ready.
    case stopCaching([Int])
    /// Whether the window is worth full quality at the present speed.
    case setAllowsHighQuality(Bool)
}
