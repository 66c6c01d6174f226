import Thumbwheel

/// The screen of a replay: which cells are visible, what each shows, and since when.
///
/// The player moves the view and takes a picture of it each frame, on one thread; results come in on others.
final class GridBoard: Sendable {
    private struct Cell {
        let since: MonotonicTime
        var first: MonotonicTime?
        var final: MonotonicTime?
        /// Which render's pixels it shows.
        var renderNumber: UInt64?
    }

    /// What is known of all cells that have come and gone.
    struct Latencies: Sendable {
        var first: [Double] = []
        var firstWithPreview: [Double] = []
        var final: [Double] = []
        var neverFilled = 0
    }

    private struct State {
        var visible = 0..<0
        var cells: [Int: Cell] = [:]
        var shownRenders: Set<UInt64> = []
        var latencies = Latencies()
        var mismatched = 0
    }

    private let contents: GridContents
    private let state = Mutex(State())

    init(contents: GridContents) {
        self.contents = contents
    }

    /// The view has moved.
    func show(_ items: Range<Int>, at now: MonotonicTime) {
        state.withLock { state in
            for item in state.visible where !items.contains(item) { retire(item, in: &state) }
            for item in items where !state.visible.contains(item) { state.cells[item] = Cell(since: now) }
            state.visible = items
        }
    }

    /// A result has come for an item that was visible when it was asked for.
    func receive(_ result: ImageResult, for item: Int, at now: MonotonicTime) {
        guard let info = result.info, result.bitmap != nil else { return }
        receiveImage(of: info, isFinal: result.isTerminal, for: item, at: now)
    }

    func receiveImage(of info: ImageInfo, isFinal: Bool, for item: Int, at now: MonotonicTime) {
        state.withLock { state in
            guard state.cells[item] != nil else { return }
            guard info.asset == contents.identifier(item) else {
                state.mismatched += 1
                return
            }
            if state.cells[item]!.first == nil { state.cells[item]!.first = now }
            if isFinal { state.cells[item]!.final = now }
            state.cells[item]!.renderNumber = info.renderNumber
        }
    }

    /// What the screen shows in this frame.
    func takePicture() -> CellCounts {
        state.withLock { state in
            var counts = CellCounts()
            counts.frames = 1
            for item in state.visible {
                let cell = state.cells[item]!
                if cell.final != nil {
                    counts.final += 1
                } else if cell.first != nil {
                    counts.degraded += 1
                } else {
                    counts.blank += 1
                }
                if let number = cell.renderNumber { state.shownRenders.insert(number) }
            }
            return counts
        }
    }

    /// Ends the replay: what is still visible counts as having left.
    func finish() -> (latencies: Latencies, shownRenders: Set<UInt64>, mismatched: Int) {
        state.withLock { state in
            for item in state.visible { retire(item, in: &state) }
            state.visible = 0..<0
            return (state.latencies, state.shownRenders, state.mismatched)
        }
    }

    private func retire(_ item: Int, in state: inout State) {
        guard let cell = state.cells.removeValue(forKey: item) else { return }
        guard let first = cell.first else {
            state.latencies.neverFilled += 1
            return
        }
        let milliseconds = first.milliseconds(since: cell.since)
        state.latencies.first.append(milliseconds)
        if contents.hasPreview(item) { state.latencies.firstWithPreview.append(milliseconds) }
        if let final = cell.final { state.latencies.final.append(final.milliseconds(since: cell.since)) }
    }
}
