/// What renders are predicted to take, corrected by what was measured of others like them.
struct MemoryPredictions: Sendable {
    /// Of what was measured to what had been predicted.
    private var ratios: [RenderWork.MemoryClass: Double] = [:]

    /// No measurement, however odd, moves a prediction further than this.
    private static let range = 0.125...8

    func corrected(_ byteCount: Int, of memoryClass: RenderWork.MemoryClass?) -> Int {
        guard let memoryClass, let ratio = ratios[memoryClass] else { return byteCount }
        return Int(min(Double(byteCount) * ratio, 1e15))
    }

    /// A render took more than had been predicted: those like it are taken to do the same from now on. One that took less
    /// counts for little, for a budget is kept by the largest.
    mutating func correct(_ memoryClass: RenderWork.MemoryClass, predicted: Int, measured: Int) {
        guard predicted > 0 else { return }
        let ratio = min(max(Double(measured) / Double(predicted), Self.range.lowerBound), Self.range.upperBound)
        let current = ratios[memoryClass] ?? 1
        ratios[memoryClass] = ratio > current ? ratio : current + (ratio - current) / 16
    }
}
