import Foundation
import Thumbwheel

/// The times that renders take in a simulated run. They are known for each asset in advance, and are the same in every run of
/// the same seed.
public struct CostModel: Sendable {
    /// The times of one photograph's renders, in milliseconds.
    public struct Photograph: Sendable {
        /// The time of a high-quality render, in milliseconds.
        public var high: Double
        /// The time of a fast render, in milliseconds.
        public var fast: Double
        /// The time of a preview, in milliseconds; nil if the file has none.
        public var preview: Double?

        /// Makes costs; all are in milliseconds.
        public init(high: Double, fast: Double, preview: Double?) {
            self.high = high
            self.fast = fast
            self.preview = preview
        }
    }

    private enum Source {
        case builtIn(seed: UInt64)
        case measured([Photograph])
    }

    private let source: Source

    /// Makes a model of log-normal costs with a sigma of 0.5: medians of 12 ms for high quality, 5 ms for fast and 0.3 ms for a
    /// preview, which seven assets in eight have.
    public static func builtIn(seed: UInt64) -> CostModel { CostModel(source: .builtIn(seed: seed)) }

    /// Makes a model of measured costs: asset *i* costs as much as photograph *i* mod *n*.
    ///
    /// - Precondition: there is at least one photograph.
    public static func measured(_ photographs: [Photograph]) -> CostModel {
        precondition(!photographs.isEmpty, "no costs")
        return CostModel(source: .measured(photographs))
    }

    /// Returns the times of the renders of asset *index*.
    public func costs(ofAsset index: Int) -> Photograph {
        switch source {
        case .measured(let photographs): return photographs[index % photographs.count]
        case .builtIn(let seed):
            // Each asset has a generator of its own, so that its costs do not depend on the assets that were asked for before.
            var generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(index))
            let high = 12 * generator.logNormal(sigma: 0.5)
            let fast = 5 * generator.logNormal(sigma: 0.5)
            let preview = 0.3 * generator.logNormal(sigma: 0.5)
            return Photograph(high: high, fast: fast, preview: generator.index(below: 8) < 7 ? preview : nil)
        }
    }
}

extension SeededGenerator {
    /// Returns a random number whose logarithm is normally distributed around 0 (Box and Muller, 1958).
    mutating func logNormal(sigma: Double) -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return exp(sigma * radius * cos(2 * .pi * unit()))
    }
}
