/// A plot: a drawing with two axes.
///
/// The drawing is stretched to the room that there is. Labels are text of the page beside it, placed by per cents, so that they
/// are as large on a telephone as anywhere.
struct Plot {
    /// The plot's class in the style sheet, which decides on its height.
    var kind: String
    /// The description for people who hear the page instead of seeing it.
    var label: String
    var columnCount: Int
    var horizontalTicks: [PlotTick] = []
    var verticalTicks: [PlotTick] = []
    var drawing: Markup
    /// HTML on top of the drawing.
    var overlay: Markup = ""

    var markup: Markup {
        """
        <div class="plot \(kind)">
        <div class="y">\(Markup(verticalTicks.map { text($0, edge: "bottom") }))</div>
        <div class="canvas"><svg viewBox="0 0 \(max(1, columnCount)) \(PlotPath.height)" preserveAspectRatio="none" \
        role="img" aria-label="\(label)">
        <path class="grid" d="\(gridPath)"/>
        \(drawing)
        </svg>\(overlay)</div>
        <div class="x">\(Markup(horizontalTicks.map { text($0, edge: "left") }))</div>
        </div>
        """
    }

    private func text(_ tick: PlotTick, edge: String) -> Markup {
        "<span\(tick.isMajor ? "" : " class=\"minor\"" as Markup) style=\"\(edge):\(Self.percent(tick.position))\">\(tick.label)</span>"
    }

    private var gridPath: String {
        let width = Double(max(1, columnCount))
        let height = Double(PlotPath.height)
        return verticalTicks.map { "M0 \((height - $0.position * height).rounded(toPlaces: 1))h\(max(1, columnCount))" }
            .joined()
            + horizontalTicks.map { "M\(($0.position * width).rounded(toPlaces: 2)) 0v\(PlotPath.height)" }.joined()
    }

    /// Formats a share in per cent, for lengths in the style sheet.
    static func percent(_ share: Double) -> String {
        "\((share.isFinite ? share * 100 : 0).rounded(toPlaces: 2))%"
    }
}
