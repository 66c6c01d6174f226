import ThumbwheelCore

/// A layout of sections that follow one another along the axis, each with a header before its items. A section is
/// itself a layout, such as a ``GridLayout`` or a ``JustifiedLayout``. Items are numbered through all sections.
public struct SectionedLayout<Section: ScrollLayout>: ScrollLayout {
    public let axis: ScrollAxis
    public let viewport: PixelSize
    /// The length of each header along the axis, in pixels.
    public let headerLength: Double
    /// The sections in their order.
    public private(set) var sections: [Section] = []
    /// The first item of each section, followed by the number of all items.
    private var firstItems = [0]
    /// The position of each section's header along the axis, followed by the end of the last section.
    private var starts = [0.0]
    private var breadth = 0.0

    /// Makes a layout of sections; lengths are in pixels.
    ///
    /// - Precondition: All sections scroll along the same axis, and the header's length is not negative.
    /// - Complexity: O(*n*), where *n* is the number of sections.
    public init(_ sections: [Section], headerLength: Double, axis: ScrollAxis = .vertical, viewport: PixelSize) {
        precondition(headerLength.isFinite && headerLength >= 0 && !viewport.isEmpty, "a header or viewport of nothing")
        self.axis = axis
        self.viewport = viewport
        self.headerLength = headerLength
        replaceSections(0..<0, with: sections)
    }

    /// Replaces sections by other sections. The result equals a new layout of all sections.
    ///
    /// - Complexity: O(*n*), where *n* is the number of sections, whatever the number of their items.
    public mutating func replaceSections(_ range: Range<Int>, with replacement: [Section]) {
        precondition(replacement.allSatisfy { $0.axis == axis }, "a section of another axis")
        sections.replaceSubrange(range, with: replacement)
        firstItems.removeSubrange((range.lowerBound + 1)...)
        starts.removeSubrange((range.lowerBound + 1)...)
        for section in sections[range.lowerBound...] {
            firstItems.append(firstItems.last! + section.itemCount)
            starts.append(starts.last! + headerLength + section.contentLength)
        }
        breadth = sections.reduce(0) { max($0, axis.upright($1.contentSize).width) }
    }

    public var itemCount: Int { firstItems.last! }

    public var contentSize: LayoutSize { axis.upright(LayoutSize(width: breadth, height: starts.last!)) }

    /// Returns the rectangle of a section's header.
    public func headerRect(ofSection section: Int) -> LayoutRect {
        axis.upright(
            LayoutRect(minX: 0, minY: starts[section], maxX: breadth, maxY: starts[section] + headerLength))
    }

    public func rect(of item: Int) -> LayoutRect {
        precondition(item >= 0 && item < itemCount, "no item \(item) among \(itemCount)")
        let (section, items) = itemsOfSection(with: item)
        return placed(sections[section].rect(of: item - items.lowerBound), in: section)
    }

    public func items(in rect: LayoutRect) -> [Range<Int>] {
        guard !rect.isEmpty else { return [] }
        let upright = axis.upright(rect)
        var found: [Range<Int>] = []
        for section in sections(from: upright.minY, to: upright.maxY) {
            // The rectangle is made a pixel larger on each side, because sums are rounded. Then each item found in it
            // is tested exactly.
            var wider = upright.offset(x: 0, y: -origin(of: section))
            wider.minY -= 1
            wider.maxY += 1
            for range in sections[section].items(in: axis.upright(wider)) {
                for item in range
                where placed(sections[section].rect(of: item), in: section).intersects(rect) {
                    found.appendItem(item + firstItems[section])
                }
            }
        }
        return found
    }

    public func items(from start: Double, to end: Double) -> Range<Int> {
        guard start < end else { return 0..<0 }
        let touched = sections(from: start, to: end)
        func candidates(_ section: Int) -> Range<Int> {
            let origin = origin(of: section)
            let items = sections[section].items(from: start - origin - 1, to: end - origin + 1)
            return items.lowerBound + firstItems[section]..<items.upperBound + firstItems[section]
        }
        func isBetween(_ item: Int) -> Bool {
            let rect = axis.upright(rect(of: item))
            return rect.minY < end && rect.maxY > start
        }
        let first = touched.lazy.compactMap { candidates($0).first(where: isBetween) }.first
        let last = touched.reversed().lazy.compactMap { candidates($0).last(where: isBetween) }.first
        guard let first, let last else { return 0..<0 }
        return first..<last + 1
    }

    public var lineLength: Double { sections.first { $0.itemCount > 0 }?.lineLength ?? screenLength }

    /// The section that contains an item, and the range of all its items.
    func itemsOfSection(with item: Int) -> (section: Int, range: Range<Int>) {
        let section = firstItems.partitionIndex { $0 > item } - 1
        return (section, firstItems[section]..<firstItems[section + 1])
    }

    /// The position along the axis at which a section's items begin.
    private func origin(of section: Int) -> Double { starts[section] + headerLength }

    private func placed(_ rect: LayoutRect, in section: Int) -> LayoutRect {
        axis.upright(axis.upright(rect).offset(x: 0, y: origin(of: section)))
    }

    /// Returns the sections that lie at least partly between two positions along the axis.
    private func sections(from start: Double, to end: Double) -> Range<Int> {
        let first = max(0, starts.partitionIndex { $0 > start } - 1)
        let last = min(sections.count, starts.partitionIndex { $0 >= end })
        return first..<max(first, last)
    }
}
