import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// Decodes an image's tiles on one or two threads, one row of tiles after the other.
///
/// The decode's thread takes tile after tile from a shared list, and passes finished rows of tiles on to the consumer.
/// An idle worker thread, the helper thread, may take tiles from the same list. At most two rows of tiles are decoded
/// at a time: the row that is passed on next, and the row after it. A thread that finds no tile to take waits for the
/// other thread.
final class TileRun: Sendable {
    /// The rows and columns of tiles that are needed.
    struct Needs {
        let rows: Range<Int>
        let columns: Range<Int>
    }

    private struct State {
        /// The index of the next tile to be taken, among the tiles that are needed.
        var next = 0
        /// The row of tiles that is passed on to the consumer next.
        var row: Int
        /// The number of tiles decoded so far in each of two rows of tiles: the row that is passed to the consumer
        /// next, and the row below it.
        var doneCounts = [0, 0]
        /// The error that ended the helper thread's work, and the row of the tile that failed. The decode's thread can
        /// still complete all rows above that row.
        var failure: (row: Int, error: RenderError)?
        var isStopped = false
    }

    private let needs: Needs
    private let columnCount: Int
    private let bands: [TileBand]
    private let state: Mutex<State>
    /// This semaphore is signalled each time the helper thread has finished a tile, and when its work fails.
    private let progress = DispatchSemaphore(value: 0)
    /// This semaphore is signalled each time a row of tiles has been passed to the consumer.
    private let room = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - isShared: whether a helper thread may help. If so, memory is taken for a second row of tiles.
    ///   - first: the index and the picture of a tile that is decoded already.
    init(
        _ layout: TileLayout, _ needs: Needs, isShared: Bool, first: (index: Int, picture: DecodedPicture)
    ) throws(RenderError) {
        self.needs = needs
        columnCount = layout.columnCount
        bands = (0..<(isShared ? 2 : 1)).map { _ in TileBand(layout) }
        state = Mutex(State(row: needs.rows.lowerBound))
        // Uses the tile that was decoded when the image was opened, but only if it is the first of the needed tiles.
        guard first.index == needs.rows.lowerBound * columnCount + needs.columns.lowerBound, let task = take() else {
            return
        }
        try finish(task, first.picture)
    }

    /// A tile that a thread has taken to decode, with its index in the image.
    struct Task {
        let index: Int
        fileprivate let row: Int
        fileprivate let column: Int
    }

    /// Takes the next tile to decode. Returns nil in each of these cases:
    ///
    /// - The decode was stopped.
    /// - The next tile lies below the needed rows, or below the rows of tiles for which there is memory.
    /// - A tile in the row of the next tile, or in a row above, has failed.
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

    /// Copies a decoded tile's samples into the memory of its row of tiles, and counts the tile as done.
    func finish(_ task: Task, _ picture: DecodedPicture) throws(RenderError) {
        try bands[task.row % bands.count].put(picture, atColumn: task.column)
        state.withLock { $0.doneCounts[task.row - $0.row] += 1 }
    }

    /// The samples of the row of tiles that is passed to the consumer next; nil while some tiles of that row are not
    /// decoded.
    ///
    /// - Throws: the error of a tile that another thread could not decode.
    func band() throws(RenderError) -> TileBand? {
        let (row, isComplete, failure) = state.withLock { state in
            (state.row, state.doneCounts[0] == needs.columns.count, state.failure)
        }
        if isComplete { return bands[row % bands.count] }
        if let failure, failure.row <= row { throw failure.error }
        return nil
    }

    /// Releases the memory of the row of tiles that was passed to the consumer, so that a later row can use it.
    func leaveRow() {
        state.withLock { state in
            state.row += 1
            state.doneCounts = [state.doneCounts[1], 0]
        }
        room.signal()
    }

    /// Waits until the helper thread has finished a tile, or has failed.
    func waitForProgress() { progress.wait() }

    func stop() { state.withLock { $0.isStopped = true } }

    /// Decodes tiles on the helper thread. Returns when all tiles are taken, a tile fails, the decode is stopped, or
    /// the thread is needed for other work.
    func assist(_ reader: TileReader, checking guardian: DecodeGuard, isWantedElsewhere: () -> Bool) {
        while !isWantedElsewhere(), !isOver {
            guard let task = take() else {
                // Waits until a row of tiles has been passed to the consumer, but at most a millisecond. After a
                // millisecond, the loop asks again whether the thread is needed for other work, because no signal
                // reports that.
                _ = room.wait(timeout: .now() + .milliseconds(1))
                continue
            }
            do throws(RenderError) {
                try guardian.check()
                try finish(task, try reader.picture(task.index))
            } catch {
                state.withLock { $0.failure = (task.row, error) }
                progress.signal()
                return
            }
            progress.signal()
        }
    }

    private var isOver: Bool {
        state.withLock { $0.isStopped || $0.next == needs.rows.count * needs.columns.count }
    }
}
