import ThumbwheelCore

/// A planner and what has been asked for on its behalf: enough to follow contents that change under the grid.
///
/// A planner knows items by their numbers alone. When those come to mean other assets it starts anew, and the ledger finds
/// out which of its wishes are the old ones under other numbers: what stays is kept, not cancelled and asked for again.
package struct GridLedger: Sendable {
    private var planner: any GridPlanner
    private var requested: Set<Int> = []
    private var window: Set<Int> = []
    /// What was visible when the viewport last moved.
    private var visible = 0..<0
    /// Where the viewport was last; nil before it was anywhere.
    package private(set) var offset: Double?

    package init(planner: any GridPlanner) {
        self.planner = planner
    }

    package mutating func viewportMoved(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset, itemCount: itemCount) else { return [] }
        self.offset = offset
        visible = layout.visibleItems(at: offset, itemCount: itemCount)
        let actions = planner.viewportMoved(to: offset, in: layout, itemCount: itemCount, at: time)
        for action in actions { note(action) }
        return actions
    }

    package mutating func supplyChanged(to supply: GridSupply) {
        planner.supplyChanged(to: supply)
    }

    /// The grid shows other contents from now on, or the same in another order.
    ///
    /// - Parameters:
    ///   - offset: where the viewport is in them.
    ///   - before: what an item was: equal where its image is the same.
    ///   - after: what an item is.
    /// - Returns: what visible items ask for; what has left the window is found out of `windows`, where there is time for it.
    package mutating func contentsChanged<Subject: Hashable>(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime, before: (Int) -> Subject,
        after: (Int) -> Subject
    ) -> GridChange {
        let held = window
        // A planner that does not cancel has requests for what is long gone: those do not fill a cell that comes now.
        let gone = requested.filter { !visible.contains($0) }
        // Each of several items with one subject has a request of its own; the uppermost item's request is reused
        // first.
        var leftovers = Dictionary(grouping: requested.subtracting(gone).sorted(by: >), by: before)
        (requested, window) = ([], [])
        planner.contentsChanged()
        var change = GridChange(renumbered: [])
        for action in viewportMoved(to: offset, in: layout, itemCount: itemCount, at: time) {
            if case .request(let item, let urgency) = action, let old = leftovers[after(item)]?.popLast() {
                change.renumbered!.append((old, item))
                change.actions.append(.setUrgency(item, urgency))
            } else {
                change.actions.append(action)
            }
        }
        change.dropped = gone.union(leftovers.values.joined()).sorted().map { .cancel($0) }
        change.windows = GridWindows(before: held, after: window)
        return change
    }

    private mutating func note(_ action: GridAction) {
        switch action {
        case .request(let item, _): requested.insert(item)
        case .cancel(let item): requested.remove(item)
        case .startCaching(let items, _): window.formUnion(items)
        case .stopCaching(let items): window.subtract(items)
        case .setUrgency, .setAllowsHighQuality: break
        }
    }
}
