import ThumbwheelCore

/// A layout of lines whose items keep their aspect ratios. All items of a line have the same length along the scroll
/// axis, which is close to a target, and together they fill the breadth of the view. The last line has the target
/// length and is not stretched.
///
/// All lengths within the layout are whole pixels. The layout stores four bytes per item and twelve per line. After a
/// change, only the lines from the change to the first line that begins with the same item as before are laid out
/// again; see ``replaceSubrange(_:with:)``.
public struct JustifiedLayout: ScrollLayout, Equatable {
    /// The least and the greatest aspect ratio of a cell. A picture with a ratio outside these limits is cropped to its
    /// cell.
    static let ratioLimits: ClosedRange<Double> = 0.1...10

    public let axis: ScrollAxis
    public let viewport: PixelSize
    /// The length along the axis that lines come close to, in pixels.
    public let targetLength: Double
    /// The space between items that are side by side (width), and between items that are one above the other (height).
    public let spacing: LayoutSize
    /// The margins around all items.
    public let insets: LayoutInsets
    /// The aspect ratio of each item: its extent across the axis, divided by its length along the axis.
    var ratios: [Float]
    var lines = JustifiedLines()

    /// Lays out items.
    ///
    /// - Parameters:
    ///   - aspectRatios: The width of each item's picture, divided by its height. A value that is not a positive number
    ///     counts as 1; others are limited to 0.1...10.
    ///   - targetLength: The desired length of lines along the axis, in whole pixels: the height of the rows of a
    ///     vertical layout, the width of the columns of a horizontal one.
    ///   - spacing: The space between items, in whole pixels.
    ///   - insets: The margins around all items, in pixels.
    ///   - axis: The direction of scrolling.
    ///   - viewport: The size of the visible rectangle in pixels.
    /// - Precondition: Lines are at least 16 pixels long, nothing is negative, and the insets leave room for items.
    /// - Complexity: O(*n*), where *n* is the number of items: about a tenth of a second for a million.
    public init(
        aspectRatios: some Sequence<Double>, targetLength: Double, spacing: LayoutSize = .zero,
        insets: LayoutInsets = .zero, axis: ScrollAxis = .vertical, viewport: PixelSize
    ) {
        precondition((16...100_000).contains(targetLength) && !viewport.isEmpty, "lines of nothing")
        precondition(spacing.width >= 0 && spacing.height >= 0 && insets.isValid, "a negative measure")
        self.axis = axis
        self.viewport = viewport
        self.targetLength = targetLength.rounded()
        self.spacing = LayoutSize(width: spacing.width.rounded(), height: spacing.height.rounded())
        self.insets = insets
        ratios = aspectRatios.map { Self.ratio($0, along: axis) }
        precondition(breadth >= 1, "the insets leave no room for items")
        layOut(keepingFirst: 0, last: 0, of: 0)
    }

    public var itemCount: Int { ratios.count }

    public var contentSize: LayoutSize {
        let insets = axis.upright(insets)
        let gaps = Double(max(0, lines.count - 1)) * gapBetweenLines
        return axis.upright(
            LayoutSize(
                width: axis.upright(LayoutSize(viewport)).width,
                height: insets.top + Double(lines.end) + gaps + insets.bottom))
    }

    public func rect(of item: Int) -> LayoutRect {
        precondition(item >= 0 && item < itemCount, "no item \(item) among \(itemCount)")
        let line = lines.line(of: item)
        var edges = edges(ofLine: line)
        for _ in lines.items(of: line, below: itemCount).lowerBound..<item { edges.advance() }
        let cell = edges.next()
        return axis.upright(
            LayoutRect(minX: cell.start, minY: start(ofLine: line), maxX: cell.end, maxY: end(ofLine: line)))
    }

    public func items(in rect: LayoutRect) -> [Range<Int>] {
        let rect = axis.upright(rect)
        guard !rect.isEmpty else { return [] }
        var found: [Range<Int>] = []
        for line in lines(from: rect.minY, to: rect.maxY) {
            var edges = edges(ofLine: line)
            for item in lines.items(of: line, below: itemCount) {
                let cell = edges.next()
                // Beside a very broad panorama, an item may be rounded to no pixels at all.
                let isVisible = cell.start < cell.end && cell.start < rect.maxX && cell.end > rect.minX
                if isVisible { found.appendItem(item) }
            }
        }
        return found
    }

    public func items(from start: Double, to end: Double) -> Range<Int> {
        let touched = lines(from: start, to: end)
        guard !touched.isEmpty else { return 0..<0 }
        return lines.items(of: touched.lowerBound, below: itemCount)
            .lowerBound..<lines.items(of: touched.upperBound - 1, below: itemCount).upperBound
    }

    public var lineLength: Double {
        lines.count > 0 ? Double(lines.end) / Double(lines.count) + gapBetweenLines : targetLength
    }

    public func line(of item: Int) -> Double { Double(lines.line(of: item)) }
}

// MARK: Lines

extension JustifiedLayout {
    /// The extent across the axis that the items and gaps of a line fill, in pixels.
    var breadth: Double {
        let insets = axis.upright(insets)
        return (axis.upright(LayoutSize(viewport)).width - insets.left - insets.right).rounded(.down)
    }

    var gapInLine: Double { axis.upright(spacing).width }
    private var gapBetweenLines: Double { axis.upright(spacing).height }

    static func ratio(_ aspectRatio: Double, along axis: ScrollAxis) -> Float {
        guard aspectRatio > 0 else { return 1 }
        let ratio = min(max(aspectRatio, ratioLimits.lowerBound), ratioLimits.upperBound)
        return Float(axis == .vertical ? ratio : 1 / ratio)
    }

    private func start(ofLine line: Int) -> Double {
        axis.upright(insets).top + Double(lines.start(of: line)) + Double(line) * gapBetweenLines
    }

    private func end(ofLine line: Int) -> Double { start(ofLine: line) + Double(lines.length(of: line)) }

    /// Returns the lines that lie at least partly between two positions along the axis.
    private func lines(from start: Double, to end: Double) -> Range<Int> {
        guard start < end else { return 0..<0 }
        let first = lines.partitionIndex { self.end(ofLine: $0) > start }
        return first..<max(first, lines.partitionIndex { self.start(ofLine: $0) >= end })
    }

    private func edges(ofLine line: Int) -> JustifiedEdges {
        let items = lines.items(of: line, below: itemCount)
        let isStretched = line < lines.count - 1 || lines.isLastFull
        return JustifiedEdges(
            ratios[items], start: axis.upright(insets).left, gap: gapInLine,
            breadth: isStretched ? breadth - Double(items.count - 1) * gapInLine : nil, length: targetLength)
    }
}
