extension Range where Bound == Int {
    /// The smallest range that contains all given ranges; empty ranges are ignored.
    static func covering(_ ranges: [Range<Int>]) -> Range<Int> {
        let ranges = ranges.filter { !$0.isEmpty }
        guard let lower = ranges.map(\.lowerBound).min(), let upper = ranges.map(\.upperBound).max() else {
            return 0..<0
        }
        return lower..<upper
    }
}
