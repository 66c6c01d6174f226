/// The cumulative distribution of a latency over all cells that were visible, including those that never got an image.
struct LatencyCurve: Sendable {
    private let sorted: [Double]
    private let cellCount: Int

    /// - Parameters:
    ///   - latencies: the latencies in milliseconds, one for each cell that got an image.
    ///   - cellCount: the number of cells, including those that got no image.
    init(latencies: [Double], cellCount: Int) {
        sorted = latencies.filter(\.isFinite).sorted()
        self.cellCount = max(cellCount, sorted.count)
    }

    var isEmpty: Bool { sorted.isEmpty }
    var maximum: Double { sorted.last ?? 0 }

    /// Returns the share of cells that had waited no longer than so many milliseconds for their image.
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
