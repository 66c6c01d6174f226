import Thumbwheel
import ThumbwheelLocks

/// The screen of a replay: which cells are visible, what each shows, and since when.
///
/// The player moves the view and takes a picture of it each frame, on one thread; results come in on others. An asset whose
/// content changes is another from then on: its cell is blank until it shows the new image.
final class GridBoard: Sendable {
    /// The time that a cell was on the screen, in one piece.
    struct Appearance: Sendable {
        let asset: AssetState
        /// In which it was seen.
        var frames: Range<Int>
        /// In which of them it was blank, the first ones.
        var blankFrames: Range<Int>
    }

    private struct Cell {
        let since: MonotonicTime
        /// Its appearance.
        let index: Int
        let hasPlaceholder: Bool
        var first: MonotonicTime?
        var final: MonotonicTime?
        /// Which render's pixels it shows.
        var renderNumber: UInt64?
        /// What a view that shows an image holds of it.
        var pixels: (any AnyObject & Sendable)?

        /// What it is counted as.
        var state: WritableKeyPath<CellCounts, Int> {
            if final != nil { return \.final }
            if first != nil { return \.degraded }
            return hasPlaceholder ? \.placeholder : \.blank
        }
    }

    /// What is known of all cells that have come and gone.
    struct Latencies: Sendable {
        var first = SegmentedArray<Double>()
        var firstWithPreview = SegmentedArray<Double>()
        var final = SegmentedArray<Double>()
        var neverFilled = 0
    }

    /// All that a run's accounts need.
    struct Outcome: Sendable {
        var latencies = Latencies()
        var appearances = SegmentedArray<Appearance>()
        var shownRenders: Set<UInt64> = []
        var mismatched = 0
    }

    private struct State {
        var list: AssetList
        var items = 0..<0
        /// Whether the items have been given other meanings since they were shown.
        var isReplaced = false
        var cells: [AssetState: Cell] = [:]
        /// Of the cells on the screen.
        var counts = CellCounts()
        /// Those that got pixels since the last picture.
        var changed: [AssetState] = []
        var frameNumber = 0
        var outcome = Outcome()
    }

    private let catalog: AssetCatalog
    private let hasPlaceholder: @Sendable (AssetState) -> Bool
    private let state: Mutex<State>

    /// - Parameter hasPlaceholder: asked when an asset becomes visible, as who makes a cell asks.
    init(
        catalog: AssetCatalog, list: AssetList,
        hasPlaceholder: @escaping @Sendable (AssetState) -> Bool = { _ in false }
    ) {
        self.catalog = catalog
        self.hasPlaceholder = hasPlaceholder
        state = Mutex(State(list: list))
    }

    /// The contents are others: what is visible is looked at anew by the next `show`.
    func replace(_ list: AssetList) {
        state.withLock { state in
            state.list = list
            state.isReplaced = true
        }
    }

    /// The view has moved.
    func show(_ items: Range<Int>, at now: MonotonicTime) {
        state.withLock { state in
            if state.isReplaced {
                showAnew(items, in: &state, at: now)
                state.isReplaced = false
            } else if items != state.items {
                for item in state.items where !items.contains(item) { retire(state.list[item], in: &state) }
                for item in items where !state.items.contains(item) { add(state.list[item], to: &state, at: now) }
            }
            state.items = items
        }
    }

    /// What was visible before, in whichever place, stays as it is.
    private func showAnew(_ items: Range<Int>, in state: inout State, at now: MonotonicTime) {
        let assets = items.map { state.list[$0] }
        let shown = Set(assets)
        let left = state.cells.filter { !shown.contains($0.key) }.sorted { $0.value.index < $1.value.index }
        for (asset, _) in left { retire(asset, in: &state) }
        for asset in assets where state.cells[asset] == nil { add(asset, to: &state, at: now) }
    }

    /// A result has come for an item that was visible when it was asked for.
    func receive(_ result: ImageResult, for item: Int, at now: MonotonicTime) {
        guard let info = result.info, let bitmap = result.bitmap else { return }
        receiveImage(of: info, bitmap, isFinal: result.isTerminal, for: item, at: now)
    }

    func receiveImage(
        of info: ImageInfo, _ pixels: (any AnyObject & Sendable)?, isFinal: Bool, for item: Int, at now: MonotonicTime
    ) {
        state.withLock { state in
            guard item < state.list.count else { return }
            let asset = state.list[item]
            guard var cell = state.cells[asset] else { return }
            guard info.asset == catalog.identifier(asset.number) else {
                state.outcome.mismatched += 1
                return
            }
            state.counts[keyPath: cell.state] -= 1
            if cell.first == nil {
                cell.first = now
                if !cell.hasPlaceholder { state.outcome.appearances[cell.index].fill(inFrame: state.frameNumber) }
            }
            if isFinal { cell.final = now }
            cell.renderNumber = info.renderNumber
            cell.pixels = pixels
            state.counts[keyPath: cell.state] += 1
            state.cells[asset] = cell
            state.changed.append(asset)
        }
    }

    /// What the screen shows in this frame, which ends with it.
    func takePicture() -> CellCounts {
        state.withLock { state in
            for asset in state.changed {
                if let number = state.cells[asset]?.renderNumber { state.outcome.shownRenders.insert(number) }
            }
            state.changed.removeAll(keepingCapacity: true)
            state.frameNumber += 1
            var counts = state.counts
            counts.frames = 1
            return counts
        }
    }

    /// How many cells have come so far, those on the screen among them.
    var appearanceCount: Int { state.withLock { $0.outcome.appearances.count } }

    /// About what is kept of each.
    static let bytesPerAppearance = MemoryLayout<Appearance>.stride + 3 * MemoryLayout<Double>.stride

    /// Ends the replay: what is still visible counts as having left.
    func finish() -> Outcome {
        state.withLock { state in
            for (asset, _) in state.cells.sorted(by: { $0.value.index < $1.value.index }) { retire(asset, in: &state) }
            return state.outcome
        }
    }

    private func add(_ asset: AssetState, to state: inout State, at now: MonotonicTime) {
        let frame = state.frameNumber
        let cell = Cell(
            since: now, index: state.outcome.appearances.count, hasPlaceholder: hasPlaceholder(asset))
        state.cells[asset] = cell
        state.outcome.appearances.append(Appearance(asset: asset, frames: frame..<frame, blankFrames: frame..<frame))
        state.counts[keyPath: cell.state] += 1
    }

    private func retire(_ asset: AssetState, in state: inout State) {
        guard let cell = state.cells.removeValue(forKey: asset) else { return }
        state.counts[keyPath: cell.state] -= 1
        let firstFrame = state.outcome.appearances[cell.index].frames.lowerBound
        state.outcome.appearances[cell.index].frames = firstFrame..<state.frameNumber
        guard let first = cell.first else {
            if !cell.hasPlaceholder { state.outcome.appearances[cell.index].fill(inFrame: state.frameNumber) }
            state.outcome.latencies.neverFilled += 1
            return
        }
        let milliseconds = first.milliseconds(since: cell.since)
        state.outcome.latencies.first.append(milliseconds)
        if catalog.hasPreview(asset.number) { state.outcome.latencies.firstWithPreview.append(milliseconds) }
        if let final = cell.final { state.outcome.latencies.final.append(final.milliseconds(since: cell.since)) }
    }
}

extension GridBoard.Appearance {
    fileprivate mutating func fill(inFrame frame: Int) {
        blankFrames = frames.lowerBound..<frame
    }
}
