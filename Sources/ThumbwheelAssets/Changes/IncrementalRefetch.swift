import Foundation

/// The result of repeating a sorted fetch after a few assets of the library have changed. A row is one asset. Only for
/// the changed rows, the condition of the fetch is checked and the position is determined again. All other rows keep
/// their order in the old result.
struct IncrementalRefetch {
    let rows: [UInt32]
    /// The differences between the old and the new result; nil if so many elements would move that displaying the whole
    /// result again is cheaper than moving them.
    let difference: ListDifference?

    /// A result must have more than this number of rows for each changed row. Otherwise, fetching the whole result
    /// again is cheaper than testing and sorting the changed rows.
    private static let minimumRowsPerChange = 16

    static func isWorthwhile(_ result: AssetRows, changedCount: Int) -> Bool {
        result.query.isSorted && result.query.options.fetchLimit == 0
            && changedCount * minimumRowsPerChange < result.rows.count
    }

    /// Repeats the fetch.
    ///
    /// - Parameter changed: the rows that have changed between the result's snapshot and `snapshot`, in ascending
    ///   order.
    init(_ result: AssetRows, changed: [UInt32], in snapshot: Snapshot) {
        let order = RowOrder(descriptors: result.query.options.sortDescriptors)
        let (then, now) = (
            AssetSelection(result.query, in: result.snapshot), AssetSelection(result.query, in: snapshot)
        )
        // The changed rows that are in the old result, with their positions in it. All other rows of the old result
        // keep their order among one another.
        var old: [(position: Int, row: UInt32)] = []
        for row in changed where Int(row) < result.snapshot.rowCount && then.contains(row) {
            let wanted = RowOrder.SnapshotRow(row: row, snapshot: result.snapshot)
            let position = Self.lowerBound(result.rows.count) { index in
                order.precedes(RowOrder.SnapshotRow(row: result.rows[index], snapshot: result.snapshot), wanted)
            }
            if position < result.rows.count, result.rows[position] == row { old.append((position, row)) }
        }
        old.sort { $0.position < $1.position }
        let unchanged = UnchangedRows(result.rows, without: old.map(\.position))

        var new = changed.filter { now.contains($0) }
        new.sort {
            order.precedes(
                RowOrder.SnapshotRow(row: $0, snapshot: snapshot), RowOrder.SnapshotRow(row: $1, snapshot: snapshot))
        }
        // Finds, for each changed row that is in the new result, how many unchanged rows precede it in the sort order.
        // All rows are compared by their values in the new snapshot. An unchanged row has the same values in both
        // snapshots.
        let ranks = new.map { row in
            let wanted = RowOrder.SnapshotRow(row: row, snapshot: snapshot)
            return Self.lowerBound(unchanged.count) { index in
                order.precedes(RowOrder.SnapshotRow(row: unchanged[index], snapshot: snapshot), wanted)
            }
        }
        rows = unchanged.merged(with: new, at: ranks)
        difference = Self.difference(old, new, ranks, unchanged)
    }

    private static func lowerBound(_ count: Int, _ precedes: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func difference(
        _ old: [(position: Int, row: UInt32)], _ new: [UInt32], _ ranks: [Int], _ unchanged: UnchangedRows
    ) -> ListDifference? {
        var places: [UInt32: Int] = [:]
        for (index, row) in new.enumerated() { places[row] = ranks[index] + index }
        let wasThere = Set(old.map(\.row))
        var removed = IndexSet()
        var (inserted, changed) = (IndexSet(), IndexSet())
        for row in new {
            guard let place = places[row] else { continue }
            if wasThere.contains(row) { changed.insert(place) } else { inserted.insert(place) }
        }
        // Divides the rows that are in both results into runs for `MovePlan`, in their old order. The rows of a run are
        // neighbours in both results. Therefore:
        // - A changed row is a run of its own.
        // - A sequence of unchanged rows is divided wherever a changed row lies between two of its rows, in the old or
        //   in the new result.
        var survivors: [MovePlan.Run] = []
        var (taken, nextRank) = (0, 0)
        func takeUnchanged(upTo end: Int) {
            while taken < end {
                while nextRank < ranks.count, ranks[nextRank] <= taken { nextRank += 1 }
                let stop = nextRank < ranks.count ? min(end, ranks[nextRank]) : end
                survivors.append(MovePlan.Run(place: taken + nextRank, count: stop - taken))
                taken = stop
            }
        }
        for (index, item) in old.enumerated() {
            takeUnchanged(upTo: item.position - index)
            if let place = places[item.row] {
                survivors.append(MovePlan.Run(place: place, count: 1))
            } else {
                removed.insert(item.position)
            }
        }
        takeUnchanged(upTo: unchanged.count)
        guard let moves = MovePlan.moves(survivors: survivors, inserted: inserted) else { return nil }
        return ListDifference(removed: removed, inserted: inserted, changed: changed, moves: moves)
    }
}

/// The unchanged rows of a result: a view of the result's rows without the changed ones.
private struct UnchangedRows {
    private let rows: [UInt32]
    /// The indexes of the changed rows within `rows`, in ascending order. Reading the unchanged rows skips them.
    private let skipped: [Int]

    init(_ rows: [UInt32], without skipped: [Int]) {
        self.rows = rows
        self.skipped = skipped
    }

    var count: Int { rows.count - skipped.count }

    /// Returns the unchanged row at `index`, a position among the unchanged rows. The time is logarithmic in the number
    /// of changed rows.
    subscript(index: Int) -> UInt32 {
        var (low, high) = (0, skipped.count)
        while low < high {
            let middle = (low + high) / 2
            if skipped[middle] - middle <= index { low = middle + 1 } else { high = middle }
        }
        return rows[index + low]
    }

    /// Returns the unchanged rows with `others` inserted among them. For each row of `others`, `ranks` contains the
    /// number of unchanged rows before it.
    func merged(with others: [UInt32], at ranks: [Int]) -> [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(count + others.count)
        var (position, nextSkipped, next) = (0, 0, 0)
        while true {
            while nextSkipped < skipped.count, skipped[nextSkipped] == position {
                nextSkipped += 1
                position += 1
            }
            while next < others.count, ranks[next] == position - nextSkipped {
                result.append(others[next])
                next += 1
            }
            if position == rows.count { return result }
            let stop = nextSkipped < skipped.count ? skipped[nextSkipped] : rows.count
            let end = next < others.count ? min(stop, ranks[next] + nextSkipped) : stop
            result.append(contentsOf: rows[position..<end])
            position = end
        }
    }
}
