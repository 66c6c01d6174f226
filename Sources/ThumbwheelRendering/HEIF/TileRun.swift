import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// Decodes an image's tiles on one or two threads, one row of tiles after the other.
///
/// The decode's thread takes tile after tile from a shared list, and passes finished rows of tiles on to the consumer.
/// An idle worker thread, the helper thread, may take tiles from the same list. At most two rows of tiles are decoded
/// at a time: the row that is passed on next, and the row after it. A thread that finds no tile to take waits for the
/// other thread.
///
/// If damage is tolerated, a damaged tile becomes neutral grey, and its error is kept.
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
        /// The number of tiles that were decoded without an error.
        var soundCount = 0
        /// The error of the first tile that has become grey.
        var damage: RenderError?
    }

    private let needs: Needs
    private let columnCount: Int
    private let bands: [any TileBand]
    private let toleratesDamage: Bool
    private let state: Mutex<State>
    /// This semaphore is signalled each time the helper thread has finished a tile, and when its work fails.
    private let progress = DispatchSemaphore(value: 0)
    /// This semaphore is signalled each time a row of tiles has been passed to the consumer.
    private let room = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - columnCount: the number of columns of tiles in the image.
    ///   - bands: the memory of rows of tiles: two if a helper thread may help, else one.
    ///   - toleratesDamage: whether damaged tiles become grey, instead of ending the decode.
    ///   - first: the index and the picture of a tile that is decoded already.
    init(
        _ needs: Needs, columnCount: Int, bands: [any TileBand], toleratesDamage: Bool,
        first: (index: Int, picture: DecodedPicture)
    ) throws(RenderError) {
        self.needs = needs
        self.columnCount = columnCount
        self.toleratesDamage = toleratesDamage
        self.bands = bands
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

    /// Decodes a tile, stores its samples in the memory of its row of tiles, and counts the tile as done.
    func decode(_ task: Task, by reader: TileReader) throws(RenderError) {
        do throws(RenderError) {
            try finish(task, try reader.picture(task.index))
        } catch {
            guard toleratesDamage, error.isDamage else { throw error }
            bands[task.row % bands.count].putGrey(atRow: task.row, column: task.column)
            state.withLock { state in
                state.damage = state.damage ?? error
                state.doneCounts[task.row - state.row] += 1
            }
        }
    }

    private func finish(_ task: Task, _ picture: DecodedPicture) throws(RenderError) {
        try bands[task.row % bands.count].put(picture, atRow: task.row, column: task.column)
        state.withLock { state in
            state.soundCount += 1
            state.doneCounts[task.row - state.row] += 1
        }
    }

    /// Whether a tile has been decoded without an error so far.
    var hasSoundTile: Bool { state.withLock { $0.soundCount > 0 } }

    /// How the decode of all tiles has ended: with the error of a tile that has become grey, if there is one, and the
    /// fraction of the tiles that are sound.
    var end: DecodeEnd {
        state.withLock { state in
            let fraction = Double(state.soundCount) / Double(max(1, needs.rows.count * needs.columns.count))
            return state.damage.map { DecodeEnd($0, after: fraction) } ?? DecodeEnd(decodedFraction: 1)
        }
    }

    /// The samples of the row of tiles that is passed to the consumer next; nil while some tiles of that row are not
    /// decoded.
    ///
    /// - Throws: the error of a tile that another thread could not decode.
    func band() throws(RenderError) -> (any TileBand)? {
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
                try decode(task, by: reader)
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
