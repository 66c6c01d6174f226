/// The order of the rows in an interlaced GIF (GIF89a, appendix E). Every eighth row comes first, and the rows halfway
/// between these rows come next, and so on.
struct GIFInterlace {
    private struct Pass {
        let first: Int
        let step: Int
    }

    private static let passes = [
        Pass(first: 0, step: 8), Pass(first: 4, step: 8), Pass(first: 2, step: 4), Pass(first: 1, step: 2),
    ]

    let height: Int

    /// The position of a row of the picture in the order in which the file stores the rows.
    func place(ofRow row: Int) -> Int {
        var before = 0
        for pass in Self.passes {
            if row >= pass.first, (row - pass.first) % pass.step == 0 { return before + (row - pass.first) / pass.step }
            before += max(0, (height - pass.first + pass.step - 1) / pass.step)
        }
        preconditionFailure("each row is in a pass")
    }

    /// The row itself or the nearest row above it that is among the first `storedRowCount` rows of the file; nil if
    /// there is none.
    func substitute(forRow row: Int, storedRowCount: Int) -> Int? {
        // Tries the row itself and then the nearest rows above it whose numbers are multiples of 2, of 4 and of 8. Rows
        // with such numbers are stored in earlier passes.
        [row, row & ~1, row & ~3, row & ~7].first { place(ofRow: $0) < storedRowCount }
    }
}
