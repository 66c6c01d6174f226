/// The cumulative distribution of a latency over all cells that were visible, filled or not.
struct LatencyCurve: Sendable {
    private let sorted: [Double]
    private let cellCount: Int

    /// - Parameters:
    ///   - latencies: milliseconds, one for each cell that got an image.
    ///   - cellCount: the cells, those that got none included.
    init(latencies: [Double], cellCount: Int) {
        sorted = latencies.filter(\.isFinite).sorted()
        self.cellCount = max(cellCount, sorted.count)
    }

    var isEmpty: Bool { sorted.isEmpty }
    var maximum: Double { sorted.last ?? 0 }

    /// The share of cells that had waited no longer than so many milliseconds.
    ///
    /// - Complexity: O(log *n*) in the number of latencies.
    func share(atMost milliseconds: Double) -> Double {
        guard cellCount > 0 else { return 0 }
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= milliseconds { low = middle + 1 } else { high = middle }
        }
        return Double(low) / Double(cellCount)
    }
}
