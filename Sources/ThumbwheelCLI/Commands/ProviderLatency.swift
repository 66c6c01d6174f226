import ThumbwheelReplay

/// How long a provider takes for a file, or a store for an answer, as it was given.
struct ProviderLatency {
    let text: String
    let medianMilliseconds: Double
    let sigma: Double

    func model(seed: UInt64) -> LatencyModel {
        LatencyModel(medianMilliseconds: medianMilliseconds, sigma: sigma, seed: seed)
    }
}
