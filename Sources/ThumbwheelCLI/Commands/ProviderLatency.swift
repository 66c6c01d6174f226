/// How long a provider takes for a file, as it was given.
struct ProviderLatency {
    let text: String
    let medianMilliseconds: Double
    let sigma: Double
}
