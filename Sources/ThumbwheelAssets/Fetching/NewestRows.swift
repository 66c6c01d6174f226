/// A search for the few rows with the newest creation dates. It does not sort the other rows.
///
/// The chunks (blocks of rows) are visited in the order of their newest dates, newest first. The search ends when the
/// rows that were found are newer than all rows of the remaining chunks.
struct NewestRows {
    private let selection: AssetSelection
    private let limit: Int

    /// The greatest fetch limit for which this search is used. If a fetch wants more rows, sorting all rows of the
    /// library is as fast.
    private static let largestLimit = 4096

    /// Makes the search. The query must have a small limit and be sorted only by creation date, newest first; for any
    /// other query the result is nil.
    init?(_ selection: AssetSelection) {
        let options = selection.query.options
        guard 1...Self.largestLimit ~= options.fetchLimit, options.sortDescriptors.count == 1,
            options.sortDescriptors[0] == AssetSortDescriptor(.creationDate, ascending: false)
        else { return nil }
        self.selection = selection
        limit = options.fetchLimit
    }

    private struct Candidate {
        let key: UInt64
        let row: UInt32

        func precedes(_ other: Candidate) -> Bool { key == other.key ? row < other.row : key > other.key }
    }

    func rows() -> [UInt32] {
        let chunks = selection.snapshot.chunks
        let order = chunks.indices.map { (newest: chunks.creationBounds($0).newest, chunk: $0) }
            .sorted { $0.newest == $1.newest ? $0.chunk < $1.chunk : $0.newest > $1.newest }
        // The newest rows found so far. The list may have more rows than the limit. It is sorted and cut to the limit
        // when it first reaches the limit, and after that each time it reaches twice the limit. So the average cost of
        // a row is constant.
        var best: [Candidate] = []
        var threshold: UInt64 = 0
        for (newest, index) in order {
            if best.count >= limit, newest < threshold { break }
            let creation = chunks[index].columns.creation
            let mask = selection.mask(index)
            mask.forEachSlot { slot in
                let key = SortKey.bits(creation[slot])
                if best.count < limit || key >= threshold {
                    best.append(Candidate(key: key, row: Chunk.row(index, slot)))
                }
            }
            if best.count >= 2 * limit || best.count >= limit && threshold == 0 {
                trim(&best)
                threshold = best[limit - 1].key
            }
        }
        trim(&best)
        return best.map(\.row)
    }

    private func trim(_ best: inout [Candidate]) {
        best.sort { $0.precedes($1) }
        if best.count > limit { best.removeSubrange(limit...) }
    }
}
