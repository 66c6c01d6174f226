/// One action that a grid asks of an image manager. Items are numbered from the top.
public enum GridAction: Hashable, Sendable {
    /// Requests an item that has become visible. A lower urgency is served first.
    case request(Int, urgency: Double)
    /// Changes the urgency of a visible item's request.
    case setUrgency(Int, Double)
    /// Cancels the request of an item that has left the screen.
    case cancel(Int)
    /// Starts to prepare the items. The first item has this urgency, and each further one has 1 more. For items that are
    /// already in the window, only the urgency changes.
    case startCaching([Int], urgency: Double)
    /// Stops preparing the items.
    case stopCaching([Int])
    /// Sets whether the window prepares images of full quality at the present speed.
    case setAllowsHighQuality(Bool)
}
