/// The actions that a change of contents asks of an image manager. They are applied as one event, in the order of the
/// properties.
package struct GridChange {
    /// Cancellations of requests that do not go on; items have their numbers from before the change.
    package var dropped: [GridAction] = []
    /// The items in the window before and after the change; nil if the contents have not changed.
    package var windows: GridWindows?
    /// The requests that go on or have been answered already, each with its item's number before and after the change; all
    /// other requests have ended. Nil if the contents have not changed.
    package var renumbered: [(from: Int, to: Int)]?
    /// The remaining actions; items have their numbers from after the change.
    package var actions: [GridAction] = []

    package init(renumbered: [(from: Int, to: Int)]? = nil, actions: [GridAction] = []) {
        self.renumbered = renumbered
        self.actions = actions
    }
}
