/// An index of a library's assets by their values in one column of 64-bit words, for example the digests of the files'
/// first and last bytes. It returns the rows (the assets' numbers in the library) that have a given value. It contains
/// only the values that were given to the initializer.
struct RowsByWord {
    private let words: [UInt64]
    private let rows: [UInt32]

    /// Finds the rows with a wanted value, in time linear in the number of assets.
    init(_ snapshot: Snapshot, in column: (ChunkColumns) -> [UInt64], with wanted: Set<UInt64>) {
        // Collects pairs of a value and its row, and sorts them. The sorted pairs then become two arrays: `words` with
        // the values, and `rows` with the row of each value. Sorting takes far less time than making a dictionary with
        // an array for each value.
        var found: [(word: UInt64, row: UInt32)] = []
        for (index, chunk) in snapshot.chunks.enumerated() where !wanted.isEmpty {
            let words = column(chunk.columns)
            if words.isEmpty { continue }
            let alive = chunk.columns.mask(.alive)
            for slot in 0..<chunk.columns.count where words[slot] != 0 && wanted.contains(words[slot]) {
                if alive.contains(slot) { found.append((words[slot], Chunk.row(index, slot))) }
            }
        }
        found.sort { $0.word == $1.word ? $0.row < $1.row : $0.word < $1.word }
        words = found.map(\.word)
        rows = found.map(\.row)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The rows with this value, in ascending order.
    subscript(word: UInt64) -> ArraySlice<UInt32> {
        var (low, high) = (0, words.count)
        while low < high {
            let middle = (low + high) / 2
            if words[middle] < word { low = middle + 1 } else { high = middle }
        }
        let end = words[low...].firstIndex { $0 != word } ?? words.count
        return rows[low..<end]
    }
}
