/// The edges of the items of one justified line across the axis, one item after the other.
struct JustifiedEdges {
    private let ratios: ArraySlice<Float>
    private let start: Double
    private let gap: Double
    /// The extent across the axis for each unit of the ratios.
    private let scale: Double
    private var index: Int
    /// The sum of the ratios of the items so far.
    private var sum = 0.0
    /// The gaps so far.
    private var gaps = 0.0

    /// - Parameters:
    ///   - breadth: the pixels that the items of a full line share; nil for a line that is not stretched.
    ///   - length: the length of a line that is not stretched.
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
