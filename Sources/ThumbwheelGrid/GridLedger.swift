import ThumbwheelCore

/// A planner, with the items that it has requested and the items in its caching window. They are needed when the
/// contents of the grid change.
///
/// A planner knows items only by their numbers. After a change, the numbers refer to other assets, and the planner
/// starts from nothing. The ledger then compares its new requests with the old ones. A request for the same image is
/// kept and renumbered, instead of being cancelled and made again.
package struct GridLedger: Sendable {
    private var planner: any GridPlanner
    private var requested: Set<Int> = []
    private var window: Set<Int> = []
    /// The items that were visible when the viewport last moved.
    private var visible = 0..<0
    /// The last position of the viewport's leading edge, in pixels; nil before the first move.
    package private(set) var offset: Double?

    package init(planner: any GridPlanner) {
        self.planner = planner
    }

    package mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        guard let offset = layout.reachableOffset(offset) else { return [] }
        self.offset = offset
        visible = layout.visibleItems(at: offset)
        let actions = planner.viewportMoved(to: offset, in: layout, at: time)
        for action in actions { note(action) }
        return actions
    }

    package mutating func supplyChanged(to supply: GridSupply) {
        planner.supplyChanged(to: supply)
    }

    /// Handles a change of the grid's contents, for example other assets or another order.
    ///
    /// - Parameters:
    ///   - offset: the position of the viewport in the new contents, in pixels.
    ///   - before: returns the subject of an item before the change. Items with equal subjects show the same image.
    ///   - after: returns the subject of an item after the change.
    /// - Returns: the changes of requests and of the window. The images that have left the window are found later from
    ///   `windows`, on another thread.
    package mutating func contentsChanged<Subject: Hashable>(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime, before: (Int) -> Subject,
        after: (Int) -> Subject
    ) -> GridChange {
        let held = window
        // A planner that never cancels still has requests of items that have left the screen. They are cancelled, and
        // not reused for items that appear now.
        let gone = requested.filter { !visible.contains($0) }
        // Several items may have the same subject, each with a request. The request of the first item is reused first.
        var leftovers = Dictionary(grouping: requested.subtracting(gone).sorted(by: >), by: before)
        (requested, window) = ([], [])
        planner.contentsChanged()
        var change = GridChange(renumbered: [])
        for action in viewportMoved(to: offset, in: layout, at: time) {
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
