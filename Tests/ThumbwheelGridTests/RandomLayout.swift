import Thumbwheel
import ThumbwheelGrid

/// Layouts of all kinds, along both axes, with odd measures.
enum RandomLayout {
    static func layout(from random: inout SeededGenerator) -> any ScrollLayout {
        let axis = ScrollAxis.allCases[random.index(below: 2)]
        let viewport = PixelSize(width: 60 + random.index(below: 400), height: 60 + random.index(below: 400))
        switch random.index(below: 4) {
        case 0: return grid(from: &random, axis: axis, viewport: viewport)
        case 1: return justified(from: &random, axis: axis, viewport: viewport)
        case 2:
            let sections = (0..<random.index(below: 6)).map { _ in
                grid(from: &random, axis: axis, viewport: viewport)
            }
            return SectionedLayout(
                sections, headerLength: random.value(in: 0...40), axis: axis, viewport: viewport)
        default:
            let sections = (0..<random.index(below: 6)).map { _ in
                justified(from: &random, axis: axis, viewport: viewport)
            }
            return SectionedLayout(
                sections, headerLength: random.value(in: 0...40), axis: axis, viewport: viewport)
        }
    }

    static func grid(from random: inout SeededGenerator, axis: ScrollAxis, viewport: PixelSize) -> GridLayout {
        // Thirds are no finite fractions: sums of them are rounded.
        func measure(_ most: Int) -> Double { Double(random.index(below: 3 * most)) / 3 }
        return GridLayout(
            columnCount: 1 + random.index(below: 6),
            cell: LayoutSize(width: 1 + measure(90), height: 1 + measure(90)),
            spacing: LayoutSize(width: measure(10), height: measure(10)), insets: insets(measure), axis: axis,
            viewport: viewport, itemCount: random.index(below: 80))
    }

    static func justified(
        from random: inout SeededGenerator, axis: ScrollAxis, viewport: PixelSize
    ) -> JustifiedLayout {
        func measure(_ most: Int) -> Double { Double(random.index(below: 3 * most)) / 3 }
        let count = random.index(below: 80)
        return JustifiedLayout(
            aspectRatios: aspectRatios(count, from: &random), targetLength: 16 + measure(90),
            spacing: LayoutSize(width: measure(3), height: measure(10)), insets: insets(measure), axis: axis,
            viewport: viewport)
    }

    /// Aspect ratios of photographs, and some that no photograph has.
    static func aspectRatios(_ count: Int, from random: inout SeededGenerator) -> [Double] {
        (0..<count).map { _ in
            switch random.index(below: 20) {
            case 0: [0, -1, .nan, .infinity, 1e9, 1e-9][random.index(below: 6)]
            case 1..<10: [1.5, 4.0 / 3, 0.75, 1][random.index(below: 4)]
            default: random.value(in: 0.3...3)
            }
        }
    }

    private static func insets(_ measure: (Int) -> Double) -> LayoutInsets {
        LayoutInsets(top: measure(20), left: measure(20), bottom: measure(20), right: measure(20))
    }
}
