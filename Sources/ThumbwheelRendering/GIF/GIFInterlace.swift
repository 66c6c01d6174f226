/// The order in which an interlaced GIF has its rows (GIF89a, appendix E): every eighth, those between them, and so on.
struct GIFInterlace {
    private struct Pass {
        let first: Int
        let step: Int
    }

    private static let passes = [
        Pass(first: 0, step: 8), Pass(first: 4, step: 8), Pass(first: 2, step: 4), Pass(first: 1, step: 2),
    ]

    let height: Int

    /// Where among the stored rows a row of the picture lies.
    func place(ofRow row: Int) -> Int {
        var before = 0
        for pass in Self.passes {
            if row >= pass.first, (row - pass.first) % pass.step == 0 { return before + (row - pass.first) / pass.step }
            before += max(0, (height - pass.first + pass.step - 1) / pass.step)
        }
        preconditionFailure("each row is in a pass")
    }

    /// The nearest row above, or the row itself, that is among the first stored ones; nil if there is none.
    func substitute(forRow row: Int, storedRowCount: Int) -> Int? {
        // Of coarser and coarser passes.
        [row, row & ~1, row & ~3, row & ~7].first { place(ofRow: $0) < storedRowCount }
    }
}
