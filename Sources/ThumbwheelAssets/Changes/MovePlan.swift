import Foundation

/// Finds a small number of moves that bring a list into a wanted order.
///
/// The list is divided into runs. A run consists of elements that follow one another both in the list and in the wanted
/// order. Runs can stay in place together if they are already in the wanted order among themselves. Of all such sets of
/// runs, the set with the most elements stays in place. Every element outside this set is moved once.
struct MovePlan {
    /// A stretch of elements that follow one another both in the present order and in the wanted order.
    struct Run {
        /// The position of the run's first element in the wanted order.
        var place: Int
        var count: Int
    }

    /// The greatest number of elements that may be moved. If more would have to be moved, displaying the whole list
    /// again is cheaper.
    private static let moveLimit = 2048

    /// Finds the moves for a list from which elements were removed and into which others were inserted.
    ///
    /// - Parameters:
    ///   - survivors: the elements that are in both the old and the new list, in the old order. They are given as runs:
    ///     stretches of consecutive elements.
    ///   - inserted: the positions, in the new list, of the elements that are only in the new list.
    /// - Returns: the moves; nil if there would be too many.
    static func moves(survivors: [Run], inserted: IndexSet) -> [(from: Int, to: Int)]? {
        var runs: [Run] = []
        var count = 0
        func append(_ run: Run) {
            count += run.count
            if let last = runs.last, last.place + last.count == run.place {
                runs[runs.count - 1].count += run.count
            } else {
                runs.append(run)
            }
        }
        var rest = survivors.reversed() as [Run]
        for range in inserted.rangeView {
            // Appends elements of the old list until the new list has `range.lowerBound` elements. The inserted
            // elements of `range` come next.
            while count < range.lowerBound, let next = rest.popLast() {
                let room = range.lowerBound - count
                append(Run(place: next.place, count: min(next.count, room)))
                if next.count > room { rest.append(Run(place: next.place + room, count: next.count - room)) }
            }
            append(Run(place: range.lowerBound, count: range.count))
        }
        for run in rest.reversed() { append(run) }
        return moves(runs)
    }

    /// Divides a list into runs, which are stretches of elements with consecutive positions in the wanted order.
    ///
    /// - Parameter places: for each element of the list, its position in the wanted order.
    static func runs(_ places: [Int]) -> [Run] {
        var runs: [Run] = []
        for place in places {
            if let last = runs.last, last.place + last.count == place {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(place: place, count: 1))
            }
        }
        return runs
    }

    /// Returns the moves that bring a list into the wanted order; nil if more than `moveLimit` elements would have to
    /// be moved.
    ///
    /// - Parameter runs: the whole list in its present order, divided into runs.
    static func moves(_ runs: [Run]) -> [(from: Int, to: Int)]? {
        if runs.count <= 1 { return [] }
        let stays = heaviestRisingSequence(runs)
        let moverCount = zip(runs, stays).reduce(0) { $1.1 ? $0 : $0 + $1.0.count }
        guard moverCount <= moveLimit else { return nil }
        // The list as blocks. A settled block is a run that stays in place, or an element that has already been moved.
        // Each unsettled block is one element that still has to be moved.
        var blocks: [(run: Run, isSettled: Bool)] = []
        var movers: [Int] = []
        for (run, stays) in zip(runs, stays) {
            if stays {
                blocks.append((run, true))
            } else {
                for place in run.place..<run.place + run.count {
                    blocks.append((Run(place: place, count: 1), false))
                    movers.append(place)
                }
            }
        }
        var moves: [(from: Int, to: Int)] = []
        for place in movers.sorted() {
            guard let block = blocks.firstIndex(where: { !$0.isSettled && $0.run.place == place }) else { continue }
            let from = blocks[..<block].reduce(0) { $0 + $1.run.count }
            blocks.remove(at: block)
            // Inserts the element after the last block that is in its final place and comes before the element in the
            // wanted order. A block is a stretch of consecutive elements.
            let target = (blocks.lastIndex { $0.isSettled && $0.run.place < place } ?? -1) + 1
            let to = blocks[..<target].reduce(0) { $0 + $1.run.count }
            blocks.insert((Run(place: place, count: 1), true), at: target)
            if from != to { moves.append((from, to)) }
        }
        return moves
    }

    /// Marks the runs that stay in place. A run is a stretch of consecutive elements. The marked runs are already in
    /// the wanted order among themselves. No other set of runs in the wanted order has more elements. The time is
    /// proportional to `n log n` for `n` runs.
    private static func heaviestRisingSequence(_ runs: [Run]) -> [Bool] {
        let order = runs.indices.sorted { runs[$0].place < runs[$1].place }
        var rank = [Int](repeating: 0, count: runs.count)
        for (place, run) in order.enumerated() { rank[run] = place + 1 }
        // A Fenwick tree: it finds the maximum of the entries from 1 up to any rank in logarithmic time. Each run has
        // an entry at its rank, which is its place among all runs in the wanted order, counted from 1.
        //
        // The entry of a run describes a set of runs that are in the wanted order and end with this run. Of all such
        // sets, it is the one with the most list elements:
        //
        // - `weight` is the number of list elements in the set.
        // - `run` is the index of the last run in the set, which is the run itself.
        //
        // As in every Fenwick tree, a node stores the maximum of a range of entries.
        var tree = [(weight: Int, run: Int)](repeating: (0, -1), count: runs.count + 1)
        var previous = [Int](repeating: -1, count: runs.count)
        var best = (weight: 0, run: -1)
        for index in runs.indices {
            var heaviest = (weight: 0, run: -1)
            var node = rank[index] - 1
            while node > 0 {
                if tree[node].weight > heaviest.weight { heaviest = tree[node] }
                node -= node & -node
            }
            previous[index] = heaviest.run
            let own = (weight: heaviest.weight + runs[index].count, run: index)
            if own.weight > best.weight { best = own }
            node = rank[index]
            while node < tree.count {
                if own.weight > tree[node].weight { tree[node] = own }
                node += node & -node
            }
        }
        var stays = [Bool](repeating: false, count: runs.count)
        var run = best.run
        while run >= 0 {
            stays[run] = true
            run = previous[run]
        }
        return stays
    }
}
