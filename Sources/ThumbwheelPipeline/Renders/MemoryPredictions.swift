/// Corrections of the memory that renders are predicted to take, learnt from measurements of similar renders.
struct MemoryPredictions: Sendable {
    /// The ratio of measured to predicted bytes, for each class of renders.
    private var ratios: [RenderWork.MemoryClass: Double] = [:]

    /// The bounds of the ratios: no measurement, however odd, changes a prediction by a larger factor.
    private static let range = 0.125...8

    func corrected(_ byteCount: Int, of memoryClass: RenderWork.MemoryClass?) -> Int {
        guard let memoryClass, let ratio = ratios[memoryClass] else { return byteCount }
        return Int(min(Double(byteCount) * ratio, 1e15))
    }

    /// Learns from a measured render. If the render's ratio of measured to predicted bytes is above the ratio of its
    /// class, the render's ratio becomes the class's new ratio. If it is below, the class's ratio sinks only a little,
    /// because the budget must have room for the largest renders.
    mutating func correct(_ memoryClass: RenderWork.MemoryClass, predicted: Int, measured: Int) {
        guard predicted > 0 else { return }
        let ratio = min(max(Double(measured) / Double(predicted), Self.range.lowerBound), Self.range.upperBound)
        let current = ratios[memoryClass] ?? 1
        ratios[memoryClass] = ratio > current ? ratio : current + (ratio - current) / 16
    }
}
