/// The prediction objects of recent `RenderWork` values. If the prediction of a new value equals one of these objects,
/// the new value refers to that object, which saves memory.
struct RenderPredictions: Sendable {
    private static let count = 64
    private var recent: [RenderPrediction?] = Array(repeating: nil, count: count)

    mutating func shared(_ prediction: RenderPrediction) -> RenderPrediction {
        let place = (prediction.predictedByteCount >> 4 ^ prediction.outputByteCount) & (Self.count - 1)
        if let known = recent[place], known == prediction { return known }
        recent[place] = prediction
        return prediction
    }
}
