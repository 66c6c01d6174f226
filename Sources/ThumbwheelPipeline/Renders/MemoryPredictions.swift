/// Factors that correct the predicted memory of renders. They are learnt from measurements of similar renders.
struct MemoryPredictions: Sendable {
    /// The ratio of measured to predicted bytes, for each class of renders.
    private var ratios: [RenderWork.MemoryClass: Double] = [:]

    /// The limits of the ratios. A measurement, however odd, multiplies or divides a prediction by 8 at most.
    private static let range = 0.125...8

    func corrected(_ byteCount: Int, of memoryClass: RenderWork.MemoryClass?) -> Int {
        guard let memoryClass, let ratio = ratios[memoryClass] else { return byteCount }
        return Int(min(Double(byteCount) * ratio, 1e15))
    }

    /// Corrects the ratio of a class by one measured render of that class. A ratio is the measured bytes divided by the
    /// predicted bytes. If the render's own ratio is higher than that of its class, the class takes it over at once. If
    /// it is lower, the ratio of the class sinks only a little, because the budget must have room for the largest
    /// renders.
    mutating func correct(_ memoryClass: RenderWork.MemoryClass, predicted: Int, measured: Int) {
        guard predicted > 0 else { return }
        let ratio = min(max(Double(measured) / Double(predicted), Self.range.lowerBound), Self.range.upperBound)
        let current = ratios[memoryClass] ?? 1
        ratios[memoryClass] = ratio > current ? ratio : current + (ratio - current) / 16
    }
}
