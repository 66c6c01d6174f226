import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// The decoding of an image's tiles by one or two threads, a row of tiles after the other.
///
/// The thread that feeds the rows takes tile after tile from a common list. An idle thread may do the same, up to one row
/// of tiles ahead. Whoever finds no tile to take waits for the other.
final class TileRun: Sendable {
    /// The tiles of an image that are needed.
    struct Needs {
        let rows: Range<Int>
        let columns: Range<Int>
    }

    private struct State {
        /// The place of the next tile to be taken among those that are needed.
        var next = 0
        /// The row of tiles that is fed next.
        var row: Int
        /// Tiles of that row, and of the one behind, that are decoded.
        var doneCounts = [0, 0]
        /// The error of the assistant, and the row of its tile. Rows above are still complete.
        var failure: (row: Int, error: RenderError)?
        var isStopped = false
    }

    private let needs: Needs
    private let columnCount: Int
    private let bands: [TileBand]
    private let state: Mutex<State>
    /// A signal for each tile that the assistant is done with.
    private let news = DispatchSemaphore(value: 0)
    /// A signal for each row that was fed.
    private let departure = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - isShared: whether a second thread may help, which takes a second band.
    ///   - first: the number of a tile that is decoded already, and its picture.
    init(
        _ layout: TileLayout, _ needs: Needs, isShared: Bool, first: (index: Int, picture: DecodedPicture)
    ) throws(RenderError) {
        self.needs = needs
        columnCount = layout.columnCount
        bands = (0..<(isShared ? 2 : 1)).map { _ in TileBand(layout) }
        state = Mutex(State(row: needs.rows.lowerBound))
        // Of tiles that are needed, it is the very first or none.
        guard first.index == needs.rows.lowerBound * columnCount + needs.columns.lowerBound, let task = take() else {
            return
        }
        try finish(task, first.picture)
    }

    /// A tile to decode, with its number in the image.
    struct Task {
        let index: Int
        fileprivate let row: Int
        fileprivate let column: Int
    }

    /// The next tile; nil if none may be decoded now.
    func take() -> Task? {
        state.withLock { state in
            let (row, column) = state.next.quotientAndRemainder(dividingBy: needs.columns.count)
            let place = (row: needs.rows.lowerBound + row, column: needs.columns.lowerBound + column)
            let end = min(needs.rows.upperBound, state.row + bands.count, state.failure?.row ?? .max)
            guard !state.isStopped, place.row < end else { return nil }
            state.next += 1
            return Task(index: place.row * columnCount + place.column, row: place.row, column: place.column)
        }
    }

    /// Keeps a tile's samples.
    func finish(_ task: Task, _ picture: DecodedPicture) throws(RenderError) {
        try bands[task.row % bands.count].put(picture, atColumn: task.column)
        state.withLock { $0.doneCounts[task.row - $0.row] += 1 }
    }

    /// The samples of the row that is fed next; nil while tiles of it are missing.
    ///
    /// - Throws: the error of a tile that another thread could not decode.
    func band() throws(RenderError) -> TileBand? {
        let (row, isWhole, failure) = state.withLock { state in
            (state.row, state.doneCounts[0] == needs.columns.count, state.failure)
        }
        if isWhole { return bands[row % bands.count] }
        if let failure, failure.row <= row { throw failure.error }
        return nil
    }

    /// Gives the band of the row that was fed to the next row.
    func leaveRow() {
        state.withLock { state in
            state.row += 1
            state.doneCounts = [state.doneCounts[1], 0]
        }
        departure.signal()
    }

    /// Waits until the assistant is done with a tile.
    func waitForNews() { news.wait() }

    func stop() { state.withLock { $0.isStopped = true } }

    /// Decodes tiles on another thread until there are none left, or until it is wanted elsewhere.
    func assist(_ reader: TileReader, checking guardian: DecodeGuard, isWantedElsewhere: () -> Bool) {
        while !isWantedElsewhere(), !isOver {
            guard let task = take() else {
                // Nobody tells it that the thread is wanted.
                _ = departure.wait(timeout: .now() + .milliseconds(1))
                continue
            }
            do throws(RenderError) {
                try guardian.check()
                try finish(task, try reader.picture(task.index))
            } catch {
                state.withLock { $0.failure = (task.row, error) }
                news.signal()
                return
            }
            news.signal()
        }
    }

    private var isOver: Bool {
        state.withLock { $0.isStopped || $0.next == needs.rows.count * needs.columns.count }
    }
}
