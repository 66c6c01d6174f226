/// What a change of contents asks of an image manager, as one event and in this order.
package struct GridChange {
    /// In the numbers of before.
    package var dropped: [GridAction] = []
    /// Nil where the contents have not changed.
    package var windows: GridWindows?
    /// Requests that go on, or have been answered already, under another number or the same; all others have ended. Nil
    /// where the contents have not changed.
    package var renumbered: [(from: Int, to: Int)]?
    /// In the numbers of after.
    package var actions: [GridAction] = []

    package init(renumbered: [(from: Int, to: Int)]? = nil, actions: [GridAction] = []) {
        self.renumbered = renumbered
        self.actions = actions
    }
}
