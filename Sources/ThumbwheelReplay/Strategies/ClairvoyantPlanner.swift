import Foundation
import ThumbwheelCore
import ThumbwheelGrid

/// A planner that knows the trace. It prepares the assets that will be seen next, in the order in which they are first needed,
/// as many as the budget holds.
///
/// Like any planner, it can only ask for items that its grid contains at the moment, and not for the contents of an album that
/// will be entered later.
struct ClairvoyantPlanner: GridPlanner {
    /// A need: an asset becomes visible and stays so for some frames.
    private struct Need {
        let asset: AssetState
        /// The frames in which the asset is visible.
        var frames: Range<Int>
        /// The index of the next need of the same asset.
        var next: Int?
    }

    private struct Entry {
        let item: Int
        /// The index of the asset's earliest need that is yet to come.
        var need: Int
    }

    /// The greatest number of assets that are prepared, and the greatest number of needs that are looked ahead to: needs that
    /// are farther off can wait.
    private static let longestWindow = 4096
    private static let longestLook = 4 * longestWindow
    /// The least number of frames for which an asset must be visible to be prepared: an asset that flies past is not worth the
    /// time that it costs others.
    private static let shortestNeed = 4

    /// All needs, in the order of time.
    private let needs: [Need]
    private let frames: [ScrollTrace.Frame]
    private let capacity: Int
    private var contents: GridContents
    private var visible = VisibleItems()
    /// The number of the next frame.
    private var frame = 0
    /// The needs that are looked ahead to; none of them has come yet.
    private var ahead = 0..<0
    /// The latest need of each asset that has come, by asset.
    private var current: [AssetState: Int] = [:]
    /// The assets in the window: those of the needs ahead that the grid contains.
    private var window: [AssetState: Entry] = [:]
    private var places: AssetPlaces

    init(trace: ScrollTrace, assetCount: Int, settings: ReplaySettings) {
        frames = trace.schedule(framesPerSecond: settings.framesPerSecond)
        let laidOut = trace.laidOutContents(assetCount: assetCount)
        contents = laidOut.contents
        places = contents.list.places
        needs = Self.needs(in: laidOut, frames)
        // The images on the screen and the running renders need room in the budget as well.
        let bytes = max(1, settings.targetSize.pixelCount * 3)
        let screen = trace.layout.columnCount * (Int(trace.layout.rowsPerScreen.rounded(.up)) + 1)
        let running = settings.workerCount * (bytes + (1 << 20))
        capacity = max(0, min(Self.longestWindow, (settings.budget - running) / bytes - screen))
    }

    private static func needs(in contents: LaidOutContents, _ frames: [ScrollTrace.Frame]) -> [Need] {
        var contents = contents
        var needs: [Need] = []
        /// The needs of the visible assets, by asset.
        var shown: [AssetState: Int] = [:]
        var items = 0..<0
        for (number, frame) in frames.enumerated() {
            for event in frame.edits { contents.apply(event.edit) }
            let next = contents.layout.visibleItems(at: frame.offset)
            if next != items || !frame.edits.isEmpty {
                items = next
                let before = shown
                shown = [:]
                for asset in next.map({ contents.list[$0] }) {
                    shown[asset] = before[asset] ?? needs.count
                    if before[asset] == nil { needs.append(Need(asset: asset, frames: number..<number)) }
                }
            }
            for need in shown.values { needs[need].frames = needs[need].frames.lowerBound..<number + 1 }
        }
        var latest: [AssetState: Int] = [:]
        for index in needs.indices.reversed() {
            needs[index].next = latest.updateValue(index, forKey: needs[index].asset)
        }
        return needs
    }

    mutating func viewportMoved(
        to offset: Double, in layout: any ScrollLayout, at time: MonotonicTime
    ) -> [GridAction] {
        let (arrived, left) = visible.update(to: layout.visibleItems(at: offset))
        let passed = passNeeds()
        // An asset that leaves the window because it becomes visible is requested before it is removed from the window.
        let actions =
            left.map { GridAction.cancel($0) }
            + arrived.map { .request($0, urgency: urgency(ofVisible: contents.list[$0])) } + passed + lookAhead()
        frame += 1
        return actions
    }

    /// Returns the urgency of a visible asset. An asset that will be visible twice as long is more urgent by 4, which a manager
    /// that weighs costs counts as much as half the cost. So the assets come first that save the most cell-frames for their
    /// render time.
    private func urgency(ofVisible asset: AssetState) -> Double {
        guard let need = current[asset] else { return 0 }
        return -4 * log2(Double(max(1, needs[need].frames.upperBound - frame)))
    }

    /// Forgets all requests; the next `viewportMoved`, of the same frame, makes them anew.
    mutating func contentsChanged() {
        for event in frames[min(frame, frames.count - 1)].edits { contents.apply(event.edit) }
        visible = VisibleItems()
        ahead = ahead.lowerBound..<ahead.lowerBound
        window = [:]
        places = contents.list.places
    }

    /// Handles the needs that come with this frame.
    private mutating func passNeeds() -> [GridAction] {
        var first = ahead.lowerBound
        var stopped: [Int] = []
        var actions: [GridAction] = []
        while first < needs.count, needs[first].frames.lowerBound <= frame {
            let need = needs[first]
            current[need.asset] = first
            if let entry = window[need.asset], entry.need == first {
                // The asset stays in the window if a later need of it is looked ahead to.
                if let next = need.next, next < ahead.upperBound {
                    window[need.asset]!.need = next
                    actions.append(.startCaching([entry.item], urgency: Double(next)))
                } else {
                    window[need.asset] = nil
                    stopped.append(entry.item)
                }
            }
            first += 1
        }
        ahead = first..<max(first, ahead.upperBound)
        return actions + (stopped.isEmpty ? [] : [.stopCaching(stopped)])
    }

    private mutating func lookAhead() -> [GridAction] {
        var end = ahead.upperBound
        var actions: [GridAction] = []
        while end < needs.count, window.count < capacity, end - ahead.lowerBound < Self.longestLook {
            let need = needs[end]
            if need.frames.count >= Self.shortestNeed, window[need.asset] == nil, let item = places.item(of: need.asset)
            {
                window[need.asset] = Entry(item: item, need: end)
                actions.append(.startCaching([item], urgency: Double(end)))
            }
            end += 1
        }
        ahead = ahead.lowerBound..<end
        return actions
    }
}
