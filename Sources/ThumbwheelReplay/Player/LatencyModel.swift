import Foundation
import Thumbwheel

/// The time that something takes which is not this machine's work, such as a provider that fetches a file, or a store that
/// answers. For a provider, each asset has a place of its own in the distribution, the same in every run.
public struct LatencyModel: Sendable, Equatable {
    /// The median of the distribution, in milliseconds.
    public var medianMilliseconds: Double
    /// The standard deviation of the logarithm; 0 if all files take the same time.
    public var sigma: Double
    /// The seed that gives each asset its place in the distribution.
    public var seed: UInt64

    /// Makes a log-normal distribution.
    public init(medianMilliseconds: Double, sigma: Double, seed: UInt64 = 1) {
        self.medianMilliseconds = medianMilliseconds
        self.sigma = sigma
        self.seed = seed
    }

    func milliseconds(from generator: inout SeededGenerator) -> Double {
        medianMilliseconds * generator.logNormal(sigma: sigma)
    }

    func milliseconds(ofAsset number: Int) -> Double {
        var generator = SeededGenerator(seed: seed &* 0xD1B5_4A32_D192_ED03 ^ UInt64(number))
        return medianMilliseconds * generator.logNormal(sigma: sigma)
    }
}
