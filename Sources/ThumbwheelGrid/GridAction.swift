/// One action that a grid asks of an image manager. Items are numbered in the order in which the layout places them,
/// from 0.
public enum GridAction: Hashable, Sendable {
    /// Requests the image of an item that has become visible. Requests with smaller urgencies are served first.
    case request(Int, urgency: Double)
    /// Changes the urgency of a visible item's request.
    case setUrgency(Int, Double)
    /// Cancels the request of an item that has left the screen.
    case cancel(Int)
    /// Adds items to the caching window, so that their images are prepared. The first item has this urgency, and each
    /// further one has 1 more. For items that are already in the window, only the urgency changes.
    case startCaching([Int], urgency: Double)
    /// Removes items from the caching window.
    case stopCaching([Int])
    /// Sets whether the caching window prepares images of full quality. At high scroll speeds it may prepare only fast
    /// ones.
    case setAllowsHighQuality(Bool)
}
