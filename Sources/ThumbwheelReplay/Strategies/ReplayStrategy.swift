import ThumbwheelGrid

/// A way to supply a grid, to be compared with others.
public enum ReplayStrategy: String, Sendable, CaseIterable {
    /// The library's own.
    case thumbwheel
    /// A window 2.5 screens ahead and 1.5 behind, made anew in every frame.
    case ranges
    /// The rectangle of the best-known sample code, half a screen each way.
    case gridSample = "grid-sample"
    /// The visible items and 30 each side.
    case indexWindow = "index-window"
    /// No window; visible items first come first served; what left is cancelled.
    case requestsOnly = "requests-only"
    /// No window; first in first out; nothing is ever cancelled.
    case naive

    /// A planner at its beginning.
    public var planner: any GridPlanner {
        switch self {
        case .thumbwheel: ScrollPlanner()
        case .ranges: RangesPlanner()
        case .gridSample: StripPreheatPlanner()
        case .indexWindow: IndexWindowPlanner()
        case .requestsOnly: VisibleOnlyPlanner(cancelsWhatLeft: true)
        case .naive: VisibleOnlyPlanner(cancelsWhatLeft: false)
        }
    }

    /// Whether the manager may serve the newest of equally urgent requests first.
    public var servesNewestFirst: Bool { self == .thumbwheel }

    /// Whether the manager may weigh the urgency of visible requests against what they are predicted to cost.
    public var weighsCost: Bool { self == .thumbwheel }
}
