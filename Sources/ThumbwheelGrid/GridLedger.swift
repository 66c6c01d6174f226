import ThumbwheelCore

/// A planner together with the requests and the window made on its behalf, so that a grid can follow changes of its contents.
///
/// A planner knows items only by their numbers. When the numbers come to mean other assets, the planner starts anew, and the
/// ledger finds out which of its new requests match old ones under other numbers. Matching requests are kept instead of being
/// cancelled and made again.
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

    /// Tells the ledger that the grid shows other contents from now on, or the same contents in another order.
    ///
    /// - Parameters:
    ///   - offset: the position of the viewport in the new contents, in pixels.
    ///   - before: returns the subject of an item before the change. Items whose images are the same have equal subjects.
    ///   - after: returns the subject of an item after the change.
    /// - Returns: the changes of requests. The images that have left the window are computed from `windows` later, on a thread
    ///   that has time for it.
    package mutating func contentsChanged<Subject: Hashable>(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime, before: (Int) -> Subject,
        after: (Int) -> Subject
    ) -> GridChange {
        let held = window
        // A planner that does not cancel still has requests of items that left the screen long ago. Those requests are not
        // reused for items that appear now.
        let gone = requested.filter { !visible.contains($0) }
        // If several items have the same subject, each has a request of its own; the uppermost item's request is reused first.
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
