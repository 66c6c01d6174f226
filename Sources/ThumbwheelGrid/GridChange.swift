/// The actions that follow from a change of a grid's contents. They are applied as one event, in the order of the
/// properties.
package struct GridChange {
    /// Cancellations of requests that are not kept. Items have their numbers from before the change.
    package var dropped: [GridAction] = []
    /// The items in the caching window before and after the change; nil if the contents have not changed.
    package var windows: GridWindows?
    /// The requests that are kept, whether answered or not, each with its item's number before and after the change.
    /// All other requests have ended. Nil if the contents have not changed.
    package var renumbered: [(from: Int, to: Int)]?
    /// The remaining actions. Items have their numbers from after the change.
    package var actions: [GridAction] = []

    package init(renumbered: [(from: Int, to: Int)]? = nil, actions: [GridAction] = []) {
        self.renumbered = renumbered
        self.actions = actions
    }
}
