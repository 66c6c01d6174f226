import ThumbwheelGrid

/// A strategy: a way to supply a grid with images, to be compared with others.
public enum ReplayStrategy: String, Sendable, CaseIterable {
    /// The library's own planner.
    case thumbwheel
    /// A window that reaches 2.5 screens ahead and 1.5 screens behind, made anew in every frame.
    case ranges
    /// The window of the best-known sample code: a rectangle that reaches half a screen beyond the visible one each way.
    case gridSample = "grid-sample"
    /// A window of the visible items and 30 items on each side.
    case indexWindow = "index-window"
    /// There is no window. Visible items are served in the order in which they came, and items that left are cancelled.
    case requestsOnly = "requests-only"
    /// There is no window. Requests are served first in, first out, and nothing is ever cancelled.
    case naive
    /// A planner that knows the trace and serves the earliest need first. It shows an upper limit for all others.
    case clairvoyant

    /// Makes a planner in its initial state.
    ///
    /// - Parameters:
    ///   - trace: the trace that the planner is going to see; only the clairvoyant planner uses it.
    ///   - assetCount: the number of all assets.
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

    /// Whether the manager may weigh the urgency of visible requests against the predicted cost of their images.
    public var weighsCost: Bool { self == .thumbwheel || self == .clairvoyant }
}
