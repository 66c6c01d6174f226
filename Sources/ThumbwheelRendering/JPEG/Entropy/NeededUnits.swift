import ThumbwheelCore

/// The rows and columns of minimum coded units that must be decoded, because the receiver of the samples needs them.
/// Each range covers the needs of all planes.
struct NeededUnits {
    let rows: Range<Int>
    let columns: Range<Int>

    init(_ frame: JPEGFrame, scales: PlaneScales, consumer: any PlaneRowConsumer) {
        var rows = 0..<0
        var columns = 0..<0
        for (index, component) in frame.components.enumerated() {
            let plane = scales.planes[index]
            let ownRows = consumer.neededRows(ofPlane: index).clamped(to: 0..<plane.size.height)
            rows = Self.union(rows, Self.units(of: ownRows, each: component.vertical * plane.scale))
            columns = Self.union(
                columns,
                Self.units(of: consumer.neededColumns(ofPlane: index), each: component.horizontal * plane.scale))
        }
        self.rows = rows
        self.columns = columns.clamped(to: 0..<frame.units.width)
    }

    /// All minimum coded units of a frame.
    init(all frame: JPEGFrame) {
        rows = 0..<frame.units.height
        columns = 0..<frame.units.width
    }

    private static func units(of samples: Range<Int>, each count: Int) -> Range<Int> {
        samples.lowerBound / count..<max(samples.lowerBound / count, (samples.upperBound + count - 1) / count)
    }

    private static func union(_ first: Range<Int>, _ second: Range<Int>) -> Range<Int> {
        if first.isEmpty { return second }
        if second.isEmpty { return first }
        return min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
    }
}
