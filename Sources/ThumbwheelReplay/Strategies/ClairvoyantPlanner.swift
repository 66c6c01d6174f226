import Foundation
import ThumbwheelCore
import ThumbwheelGrid

/// Knows the trace: has ready what will be seen next, in the order of its first need, as much as the budget holds.
///
/// It asks for what its grid shows at the moment, as any planner can: not for the contents of an album that is yet to be
/// entered.
struct ClairvoyantPlanner: GridPlanner {
    /// An asset that becomes visible.
    private struct Need {
        let asset: AssetState
        /// In which it is visible.
        var frames: Range<Int>
        /// The next need of the same asset.
        var next: Int?
    }

    private struct Entry {
        let item: Int
        /// The earliest that is yet to come.
        var need: Int
    }

    /// How many assets it has ready at most, and how many needs it looks ahead to: what is farther off can wait.
    private static let longestWindow = 4096
    private static let longestLook = 4 * longestWindow
    /// Frames for which something must be seen to be made ready: what flies past is not worth what it costs others.
    private static let shortestNeed = 4

    /// In the order of time.
    private let needs: [Need]
    private let frames: [ScrollTrace.Frame]
    private let capacity: Int
    private var contents: GridContents
    private var visible = VisibleItems()
    /// The next frame.
    private var frame = 0
    /// The needs that are looked ahead to, of which none has come yet.
    private var ahead = 0..<0
    /// The needs that have come, the last of each asset.
    private var current: [AssetState: Int] = [:]
    /// The assets of those ahead that the grid shows.
    private var window: [AssetState: Entry] = [:]
    private var places: AssetPlaces

    init(trace: ScrollTrace, assetCount: Int, settings: ReplaySettings) {
        frames = trace.schedule(framesPerSecond: settings.framesPerSecond)
        contents = trace.contents(assetCount: assetCount)
        places = contents.list.places
        needs = Self.needs(of: trace, in: contents, frames)
        // What is on the screen and what runs need room as well.
        let bytes = max(1, settings.targetSize.pixelCount * 3)
        let screen = trace.layout.columnCount * (Int(trace.layout.rowsPerScreen.rounded(.up)) + 1)
        let running = settings.workerCount * (bytes + (1 << 20))
        capacity = max(0, min(Self.longestWindow, (settings.budget - running) / bytes - screen))
    }

    private static func needs(
        of trace: ScrollTrace, in contents: GridContents, _ frames: [ScrollTrace.Frame]
    ) -> [Need] {
        var contents = contents
        var needs: [Need] = []
        /// The needs of what is visible.
        var shown: [AssetState: Int] = [:]
        var items = 0..<0
        for (number, frame) in frames.enumerated() {
            for event in frame.edits { contents.apply(event.edit) }
            let next = trace.layout.visibleItems(at: frame.offset, itemCount: contents.list.count)
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
        to offset: Double, in layout: GridLayout, itemCount: Int, at time: MonotonicTime
    ) -> [GridAction] {
        let (arrived, left) = visible.update(to: layout.visibleItems(at: offset, itemCount: itemCount))
        let passed = passNeeds()
        // What leaves the window because it has come is requested before the window lets it go.
        let actions =
            left.map { GridAction.cancel($0) }
            + arrived.map { .request($0, urgency: urgency(ofVisible: contents.list[$0])) } + passed + lookAhead()
        frame += 1
        return actions
    }

    /// The longer it will be seen, the more urgent, by as much as a manager that weighs costs takes for twice as cheap: then
    /// those go first that save most cell-frames for their time.
    private func urgency(ofVisible asset: AssetState) -> Double {
        guard let need = current[asset] else { return 0 }
        return -4 * log2(Double(max(1, needs[need].frames.upperBound - frame)))
    }

    /// What is asked anew is asked in the next `viewportMoved`, of the same frame.
    mutating func contentsChanged() {
        for event in frames[min(frame, frames.count - 1)].edits { contents.apply(event.edit) }
        visible = VisibleItems()
        ahead = ahead.lowerBound..<ahead.lowerBound
        window = [:]
        places = contents.list.places
    }

    /// Needs that have come.
    private mutating func passNeeds() -> [GridAction] {
        var first = ahead.lowerBound
        var stopped: [Int] = []
        var actions: [GridAction] = []
        while first < needs.count, needs[first].frames.lowerBound <= frame {
            let need = needs[first]
            current[need.asset] = first
            if let entry = window[need.asset], entry.need == first {
                // The asset stays in the window where it is looked ahead to once more.
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
