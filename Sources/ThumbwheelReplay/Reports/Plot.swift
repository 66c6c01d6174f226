/// A place on an axis that has a label and a line.
struct PlotTick: Sendable {
    /// From 0 to 1.
    var position: Double
    var label: String
    /// The others have no label on a narrow screen.
    var isMajor = true
}

/// A drawing with two axes.
///
/// The drawing is stretched to whatever room there is; labels are text of the page beside it, placed by per cents, and
/// so as large on a telephone as anywhere.
struct Plot {
    /// Of the style sheet: it decides on the height.
    var kind: String
    /// What those hear who do not see it.
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

    /// For the style sheet's lengths.
    static func percent(_ share: Double) -> String {
        "\((share.isFinite ? share * 100 : 0).rounded(toPlaces: 2))%"
    }
}

extension PlotTick {
    /// Round times along a run.
    static func times(upTo seconds: Double) -> [PlotTick] {
        guard seconds > 0, seconds.isFinite else { return [PlotTick(position: 0, label: "0 s")] }
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]
        let step = steps.first { seconds / $0 <= 10 } ?? seconds / 10
        return (0...Int(seconds / step + 1e-9)).map { number in
            let time = Double(number) * step
            return PlotTick(
                position: time / seconds, label: FigureFormat.seconds(time), isMajor: number.isMultiple(of: 2))
        }
    }

    /// Round byte counts, by powers of two.
    static func bytes(upTo count: Int) -> [PlotTick] {
        guard count > 0 else { return [PlotTick(position: 0, label: "0")] }
        var step = 1
        while count / step > 5 { step *= 2 }
        return stride(from: 0, through: count, by: step).map { bytes in
            PlotTick(
                position: Double(bytes) / Double(count), label: bytes == 0 ? "0" : FigureFormat.bytes(bytes))
        }
    }

    /// The next of 1, 2, 4 and 8 times a power of ten, which all have a quarter that reads well.
    static func roundedUp(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 4 }
        var power = 1.0
        while power * 8 < value * 1.04 { power *= 10 }
        while power > value { power /= 10 }
        return [1, 2, 4, 8].map { $0 * power }.first { $0 >= value * 1.04 } ?? 10 * power
    }
}
