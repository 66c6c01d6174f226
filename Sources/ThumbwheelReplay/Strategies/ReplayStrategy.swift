import ThumbwheelGrid

/// A way to supply a grid, to be compared with others.
public enum ReplayStrategy: String, Sendable, CaseIterable {
    /// The library's own.
    case thumbwheel
    /// No window; visible items first come first served; what left is cancelled.
    case requestsOnly = "requests-only"
    /// No window; first in first out; nothing is ever cancelled.
    case naive

    /// A planner at its beginning.
    public var planner: any GridPlanner {
        switch self {
        case .thumbwheel: ScrollPlanner()
        case .requestsOnly: VisibleOnlyPlanner(cancelsWhatLeft: true)
        case .naive: VisibleOnlyPlanner(cancelsWhatLeft: false)
        }
    }

    /// Whether the manager may serve the newest of equally urgent requests first.
    public var servesNewestFirst: Bool { self == .thumbwheel }
}
