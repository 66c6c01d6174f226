import Thumbwheel
import ThumbwheelLocks

/// The screen of a replay: it keeps which cells are visible, what each of them shows, and since when.
///
/// The player moves the view and takes a picture of it each frame, on one thread; results arrive on other threads. An asset
/// whose content changes counts as another asset from then on: its cell is blank until it shows the new image.
final class GridBoard: Sendable {
    /// A continuous time of a cell on the screen.
    struct Appearance: Sendable {
        let asset: AssetState
        /// The frames in which the cell was visible.
        var frames: Range<Int>
        /// The first of these frames, in which the cell was blank.
        var blankFrames: Range<Int>
    }

    private struct Cell {
        let since: MonotonicTime
        /// The index of the cell's appearance.
        let index: Int
        let hasPlaceholder: Bool
        var first: MonotonicTime?
        var final: MonotonicTime?
        /// The number of the render whose pixels the cell shows.
        var renderNumber: UInt64?
        /// The pixels of the image, kept alive as by a view that shows it.
        var pixels: (any AnyObject & Sendable)?

        /// The count that the cell belongs to at present.
        var state: WritableKeyPath<CellCounts, Int> {
            if final != nil { return \.final }
            if first != nil { return \.degraded }
            return hasPlaceholder ? \.placeholder : \.blank
        }
    }

    /// The latencies, in milliseconds, of all cells that have come and gone.
    struct Latencies: Sendable {
        var first = SegmentedArray<Double>()
        var firstWithPreview = SegmentedArray<Double>()
        var final = SegmentedArray<Double>()
        var neverFilled = 0
    }

    /// The records of a screen from which a run is evaluated.
    struct Outcome: Sendable {
        var latencies = Latencies()
        var appearances = SegmentedArray<Appearance>()
        var shownRenders: Set<UInt64> = []
        var origins = ImageOrigins()
        var mismatched = 0
    }

    private struct State {
        var list: AssetList
        var items = 0..<0
        /// Whether the item numbers have come to mean other assets since the last `show`.
        var isReplaced = false
        var cells: [AssetState: Cell] = [:]
        /// The states of the cells on the screen.
        var counts = CellCounts()
        /// The assets whose cells got pixels since the last picture.
        var changed: [AssetState] = []
        var frameNumber = 0
        var outcome = Outcome()
    }

    private let catalog: AssetCatalog
    private let hasPlaceholder: @Sendable (AssetState) -> Bool
    private let state: Mutex<State>

    /// - Parameter hasPlaceholder: tells whether an asset has a placeholder. It is called when the asset becomes visible, like
    ///   a real view that makes a cell.
    init(
        catalog: AssetCatalog, list: AssetList,
        hasPlaceholder: @escaping @Sendable (AssetState) -> Bool = { _ in false }
    ) {
        self.catalog = catalog
        self.hasPlaceholder = hasPlaceholder
        state = Mutex(State(list: list))
    }

    /// Replaces the contents; the next `show` determines anew which assets are visible.
    func replace(_ list: AssetList) {
        state.withLock { state in
            state.list = list
            state.isReplaced = true
        }
    }

    /// Moves the view so that `items` are visible.
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

    /// Shows items after the contents have been replaced. Assets that were visible before, in whichever place, keep their
    /// cells.
    private func showAnew(_ items: Range<Int>, in state: inout State, at now: MonotonicTime) {
        let assets = items.map { state.list[$0] }
        let shown = Set(assets)
        let left = state.cells.filter { !shown.contains($0.key) }.sorted { $0.value.index < $1.value.index }
        for (asset, _) in left { retire(asset, in: &state) }
        for asset in assets where state.cells[asset] == nil { add(asset, to: &state, at: now) }
    }

    /// Empties the screen: all cells leave, and the next `show` makes new ones, which are blank.
    func clear() {
        state.withLock { state in
            retireAll(in: &state)
            state.items = 0..<0
        }
    }

    /// Receives a result for an item that was visible when it was requested.
    func receive(_ result: ImageResult, for item: Int, at now: MonotonicTime) {
        guard let bitmap = result.bitmap else { return }
        receiveImage(of: result.info, bitmap, isFinal: result.isTerminal, for: item, at: now)
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
            if isFinal {
                if cell.final == nil { state.outcome.origins.note(info) }
                cell.final = now
            }
            cell.renderNumber = info.renderNumber
            cell.pixels = pixels
            state.counts[keyPath: cell.state] += 1
            state.cells[asset] = cell
            state.changed.append(asset)
        }
    }

    /// Returns the states of the cells on the screen in this frame, and ends the frame.
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

    /// The number of cells that have appeared so far, including those on the screen.
    var appearanceCount: Int { state.withLock { $0.outcome.appearances.count } }

    /// The approximate number of bytes that are kept for each appearance.
    static let bytesPerAppearance = MemoryLayout<Appearance>.stride + 3 * MemoryLayout<Double>.stride

    /// Ends the replay; cells that are still visible count as having left.
    func finish() -> Outcome {
        state.withLock { state in
            retireAll(in: &state)
            return state.outcome
        }
    }

    private func retireAll(in state: inout State) {
        for (asset, _) in state.cells.sorted(by: { $0.value.index < $1.value.index }) { retire(asset, in: &state) }
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
