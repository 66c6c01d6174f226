/// A small random source that gives the same numbers for the same seed, on every machine and in every version of the
/// library (SplitMix64; Steele, Lea and Flood, 2014).
///
/// Its own methods are used instead of the standard library's `random(in:using:)`, whose way from bits to values is not
/// promised to stay.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a source whose numbers follow from `seed`.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to, and without, `bound`.
    package mutating func index(below bound: Int) -> Int {
        precondition(bound > 0, "an index below \(bound)")
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number from 0 up to, and without, 1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A number of `range`, all equally likely.
    package mutating func value(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }
}
