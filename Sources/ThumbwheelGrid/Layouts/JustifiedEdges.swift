/// Computes the edges of the items in one line of a `JustifiedLayout`, across the scroll axis, one item after the
/// other.
struct JustifiedEdges {
    private let ratios: ArraySlice<Float>
    private let start: Double
    private let gap: Double
    /// The pixels across the axis for an item of ratio 1.
    private let scale: Double
    private var index: Int
    /// The sum of the ratios of all items before the next one.
    private var sum = 0.0
    /// The sum of the gaps before the next item.
    private var gaps = 0.0

    /// - Parameters:
    ///   - breadth: the pixels that the items of a full line share, without gaps; nil for the last line, which is not
    ///     stretched.
    ///   - length: the length along the axis of a line that is not stretched.
    init(_ ratios: ArraySlice<Float>, start: Double, gap: Double, breadth: Double?, length: Double) {
        self.ratios = ratios
        self.start = start
        self.gap = gap
        index = ratios.startIndex
        scale = breadth.map { max(0, $0) / ratios.reduce(0) { $0 + Double($1) } } ?? length
    }

    /// Returns the edges of the next item.
    mutating func next() -> (start: Double, end: Double) {
        let first = start + gaps + (sum * scale).rounded()
        sum += Double(ratios[index])
        let last = start + gaps + (sum * scale).rounded()
        index += 1
        gaps += gap
        return (first, last)
    }

    mutating func advance() { _ = next() }
}
