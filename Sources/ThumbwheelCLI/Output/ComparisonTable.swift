import ThumbwheelReplay

extension DocumentComparison {
    /// The table for people: figures that have a direction, without the counts that are equal, and the verdict.
    var text: String {
        let directed = rows.filter { $0.direction != .neither }
        let shown = directed.filter { !$0.isEqualCount }
        var table = TextTable(header: ["figure", "better is", "base", "head", "ratio", "tolerance", "verdict"])
        for row in shown {
            table.add([
                row.name, row.direction.rawValue, row.base?.text(3) ?? "–", row.head?.text(3) ?? "–",
                row.ratio?.text(3) ?? "–", (row.tolerance * 100).text(1) + " %", row.verdict.rawValue,
            ])
        }
        var paragraphs = shown.isEmpty ? [] : [table.text]
        let equalCount = directed.count - shown.count
        if equalCount > 0 { paragraphs.append("\(equalCount) counts are equal.") }
        let regressions = directed.filter(\.verdict.isRegression)
        paragraphs.append(
            regressions.isEmpty
                ? "No figure is worse by more than its tolerance."
                : "Worse by more than the tolerance, or gone:\n"
                    + regressions.map {
                        "  \($0.name): \($0.ratio.map { $0.text(3) + " of the base" } ?? $0.verdict.rawValue)"
                    }
                    .joined(separator: "\n"))
        return paragraphs.joined(separator: "\n\n")
    }
}

extension DocumentComparison.Row {
    fileprivate var isEqualCount: Bool { unit != nil && unit != .nanoseconds && base == head }
}
