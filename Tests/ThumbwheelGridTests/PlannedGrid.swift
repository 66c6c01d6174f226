import Thumbwheel
import ThumbwheelGrid

/// What a grid is left with after a planner's actions: applied as a manager would apply them, breaches noted.
struct PlannedGrid {
    private(set) var requested: [Int: Double] = [:]
    private(set) var window: [Int: Double] = [:]
    private(set) var allowsHighQuality = true
    private(set) var violations: [String] = []

    mutating func apply(_ actions: [GridAction]) {
        for action in actions {
            switch action {
            case .request(let item, let urgency):
                if requested.updateValue(urgency, forKey: item) != nil { violations.append("\(item) requested twice") }
            case .setUrgency(let item, let urgency):
                if requested.updateValue(urgency, forKey: item) == nil { violations.append("\(item) moved, not there") }
            case .cancel(let item):
                if requested.removeValue(forKey: item) == nil { violations.append("\(item) cancelled, not there") }
            case .startCaching(let items, let urgency):
                for (index, item) in items.enumerated() { window[item] = urgency + Double(index) }
            case .stopCaching(let items):
                for item in items where window.removeValue(forKey: item) == nil {
                    violations.append("\(item) stopped, not in the window")
                }
            case .setAllowsHighQuality(let allows): allowsHighQuality = allows
            }
        }
    }

    /// The window's items, most urgent first.
    var windowOrder: [Int] { window.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) }
}

extension GridPlanner {
    mutating func viewportMoved(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        viewportMoved(to: offset, in: layout.fitted(toItemCount: itemCount), at: time)
    }
}

extension GridLedger {
    mutating func viewportMoved(
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        viewportMoved(to: offset, in: layout.fitted(toItemCount: itemCount), at: time)
    }
}
