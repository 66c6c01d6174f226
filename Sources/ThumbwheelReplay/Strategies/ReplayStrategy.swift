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
    /// Knows the trace: what is needed earliest comes first. An upper line.
    case clairvoyant

    /// A planner at its beginning.
    ///
    /// - Parameters:
    ///   - trace: what it is going to see; all but one have no use for it.
    ///   - assetCount: of the assets that there are.
    func planner(knowing trace: ScrollTrace, assetCount: Int, settings: ReplaySettings) -> any GridPlanner {
        switch self {
        case .thumbwheel: ScrollPlanner()
        case .ranges: RangesPlanner()
        case .gridSample: StripPreheatPlanner()
        case .indexWindow: IndexWindowPlanner()
        case .requestsOnly: VisibleOnlyPlanner(cancelsWhatLeft: true)
        case .naive: VisibleOnlyPlanner(cancelsWhatLeft: false)
        case .clairvoyant: ClairvoyantPlanner(trace: trace, assetCount: assetCount, settings: settings)
        }
    }

    /// Whether the manager may serve the newest of equally urgent requests first.
    public var servesNewestFirst: Bool { self == .thumbwheel }

    /// Whether the manager may weigh the urgency of visible requests against what they are predicted to cost.
    public var weighsCost: Bool { self == .thumbwheel || self == .clairvoyant }
}
