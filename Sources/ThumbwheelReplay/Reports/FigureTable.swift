/// A table with one column for each run, and rows in groups.
struct FigureTable {
    /// A figure, with its share of a whole if it has one.
    struct Cell {
        var value: String
        var share = ""
        /// Whether the figure shows that something is wrong.
        var isAlarming = false

        init(_ value: String, share: String = "", isAlarming: Bool = false) {
            self.value = value
            self.share = share
            self.isAlarming = isAlarming
        }

        init(_ count: Int, of whole: Int? = nil, isAlarming: Bool = false) {
            self.init(
                FigureFormat.count(count), share: whole.map { FigureFormat.share(count, of: $0) } ?? "",
                isAlarming: isAlarming)
        }

        static let none = Cell(FigureFormat.none)
    }

    private let runs: [ReplayRun]
    private var body: [Markup] = []

    init(runs: [ReplayRun]) {
        self.runs = runs
    }

    mutating func group(_ title: String) {
        body.append(
            """
            <tr class="group"><th scope="rowgroup" colspan="\(1 + 2 * runs.count)"><span>\(title)</span></th></tr>
            """)
    }

    mutating func row(_ name: String, _ cell: (ReplayRun) -> Cell) {
        row(name, cells: runs.map(cell))
    }

    /// Adds the usual percentiles of a distribution, one row for each, under a title of their own.
    mutating func distribution(_ title: String, _ values: (ReplayRun) -> [Double]) {
        group(title)
        let points = runs.map { run -> Percentiles? in
            let values = values(run)
            return values.isEmpty ? nil : Percentiles(of: values)
        }
        let rows: [(String, KeyPath<Percentiles, Double>)] = [
            ("p50", \.p50), ("p95", \.p95), ("p99", \.p99), ("max", \.max),
        ]
        for (name, point) in rows {
            row(name, cells: points.map { $0.map { Cell(FigureFormat.decimal($0[keyPath: point])) } ?? .none })
        }
    }

    private mutating func row(_ name: String, cells: [Cell]) {
        let columns = cells.map { cell -> Markup in
            let mark: Markup = cell.isAlarming ? " class=\"alarm\"" : ""
            return "<td\(mark)>\(cell.value)</td><td class=\"share\">\(cell.share)</td>"
        }
        body.append("<tr><th scope=\"row\">\(name)</th>\(Markup(columns))</tr>")
    }

    /// - Parameter color: returns the style sheet's colour class for the index of a run.
    func markup(color: (Int) -> Markup) -> Markup {
        let heads = runs.enumerated().map { index, run -> Markup in
            "<th scope=\"col\" colspan=\"2\"><i class=\"line \(color(index))\"></i>\(run.strategy.rawValue)</th>"
        }
        return """
            <div class="scroller" role="region" aria-label="Figures" tabindex="0">
            <table>
            <thead><tr><td></td>\(Markup(heads))</tr></thead>
            <tbody>
            \(Markup(body))
            </tbody>
            </table>
            </div>
            """
    }
}
