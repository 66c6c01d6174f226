/// A comparison of two results as one HTML file for people: the figures that are worse come first, followed by all figures.
public struct ComparisonReport: Sendable {
    private let comparison: DocumentComparison
    private let names: (base: String, head: String)
    private let command: String
    private let host: HostDescription

    /// Makes the report of a comparison.
    ///
    /// - Parameters:
    ///   - comparison: The figures of both results.
    ///   - base: The name of the first result, such as a revision.
    ///   - head: The name of the second result.
    ///   - command: The command line that makes the same comparison again.
    ///   - host: The machine that the report was made on.
    public init(
        _ comparison: DocumentComparison, base: String, head: String, command: String, host: HostDescription
    ) {
        self.comparison = comparison
        names = (base, head)
        self.command = command
        self.host = host
    }

    /// The whole HTML file.
    public var html: String {
        ReportPage(
            title: "Comparison: \(names.base) and \(names.head)",
            body: "\(summary)\n\(tables)\n\(.provenance(command: command, entries: host.entries))"
        ).html
    }

    private var rows: [DocumentComparison.Row] { comparison.rows.filter { $0.direction != .neither } }

    private var summary: Markup {
        let worse = rows.count(where: \.verdict.isRegression)
        let verdict: Markup = worse == 0 ? "No regression" : worse == 1 ? "One regression" : "\(worse) regressions"
        func headline(_ title: Markup, _ count: Int, color: Int) -> Markup {
            """
            <section class="headline c\(color)"><dl><div><dt>\(title)</dt><dd>\(FigureFormat.count(count))</dd></div></dl></section>
            """
        }
        return """
            <header>
            <h1>\(verdict)</h1>
            <p class="lead"><b>\(names.head)</b> beside <b>\(names.base)</b>: \(FigureFormat.count(rows.count)) figures. \
            A figure is a regression where it is worse by more than its tolerance; a time, only where it was so three times.</p>
            <div class="headlines">
            \(headline("worse", worse, color: 1))
            \(headline("better", rows.count { $0.verdict == .better }, color: 3))
            \(headline("within their tolerance", rows.count { $0.verdict == .same }, color: 0))
            </div>
            </header>
            """
    }

    private var tables: Markup {
        let worse = rows.filter(\.verdict.isRegression)
        let first: Markup = worse.isEmpty ? "" : "<section><h2>Worse</h2>\(table(worse))</section>"
        return "\(first)<section><h2>All figures</h2>\(table(rows))</section>"
    }

    private func table(_ rows: [DocumentComparison.Row]) -> Markup {
        """
        <div class="scroller" role="region" aria-label="Figures" tabindex="0">
        <table class="comparison">
        <thead><tr><td></td><th scope="col">base</th><th scope="col">head</th><th scope="col">change</th>\
        <th scope="col">tolerance</th><th scope="col">verdict</th></tr></thead>
        <tbody>
        \(Markup(groups(rows).map { "\(heading($0.unit))\n\(Markup($0.rows.map(line)))" }))
        </tbody>
        </table>
        </div>
        """
    }

    /// Groups the rows by unit, in the order in which the units first occur.
    private func groups(
        _ rows: [DocumentComparison.Row]
    ) -> [(unit: FigureUnit?, rows: [DocumentComparison.Row])] {
        var groups: [(unit: FigureUnit?, rows: [DocumentComparison.Row])] = []
        for row in rows {
            if let index = groups.firstIndex(where: { $0.unit == row.unit }) {
                groups[index].rows.append(row)
            } else {
                groups.append((row.unit, [row]))
            }
        }
        return groups
    }

    private func heading(_ unit: FigureUnit?) -> Markup {
        guard let unit else { return "" }
        return "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"6\"><span>\(unit.rawValue)</span></th></tr>"
    }

    private func line(_ row: DocumentComparison.Row) -> Markup {
        func figure(_ value: Double?) -> String {
            value.map { FigureFormat.decimal($0, places: $0.magnitude < 100 && $0 != $0.rounded() ? 2 : 0) }
                ?? FigureFormat.none
        }
        let change = row.ratio.map { ratio in
            ratio == 1 ? "0" : (ratio > 1 ? "+" : "") + FigureFormat.decimal((ratio - 1) * 100, places: 2) + " %"
        }
        let mark: Markup =
            switch row.verdict {
            case .worse, .gone: " class=\"alarm\""
            case .better: " class=\"good\""
            case .same, .advice, .new, .none: ""
            }
        return """
            <tr><th scope="row">\(row.name)</th><td>\(figure(row.base))</td><td>\(figure(row.head))</td>\
            <td\(mark)>\(change ?? FigureFormat.none)</td><td>\(FigureFormat.short(row.tolerance * 100)) %</td>\
            <td\(mark)>\(row.verdict.rawValue)</td></tr>
            """
    }
}
