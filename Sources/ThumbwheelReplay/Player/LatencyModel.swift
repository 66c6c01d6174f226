import Foundation
import Thumbwheel

/// How long a provider takes to bring a file: a distribution, and each asset its own place in it, the same in every run.
public struct LatencyModel: Sendable, Equatable {
    /// The middle one, in milliseconds.
    public var medianMilliseconds: Double
    /// The standard deviation of the logarithm; 0 where all take the same.
    public var sigma: Double
    /// The seed that gives each asset its place in the distribution.
    public var seed: UInt64

    /// Makes a log-normal distribution.
    public init(medianMilliseconds: Double, sigma: Double, seed: UInt64 = 1) {
        self.medianMilliseconds = medianMilliseconds
        self.sigma = sigma
        self.seed = seed
    }

    func milliseconds(ofAsset number: Int) -> Double {
        var generator = SeededGenerator(seed: seed &* 0xD1B5_4A32_D192_ED03 ^ UInt64(number))
        return medianMilliseconds * generator.logNormal(sigma: sigma)
    }
}
