import ThumbwheelCore

/// A planner that requests the items that become visible, and nothing else.
package struct VisibleOnlyPlanner: GridPlanner {
    package let cancelsWhatLeft: Bool
    private var visible = VisibleItems()

    package init(cancelsWhatLeft: Bool) {
        self.cancelsWhatLeft = cancelsWhatLeft
    }

    package mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset) else { return [] }
        let (arrived, left) = visible.update(to: layout.visibleItems(at: offset))
        return (cancelsWhatLeft ? left.map { .cancel($0) } : []) + arrived.map { .request($0, urgency: 0) }
    }

    package mutating func contentsChanged() {
        visible = VisibleItems()
    }
}
