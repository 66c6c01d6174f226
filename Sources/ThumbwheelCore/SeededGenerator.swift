/// A small random source that gives the same numbers for the same seed, on every machine and in every version of the
/// library (SplitMix64; Steele, Lea and Flood, 2014).
///
/// Use its own methods and not the standard library's `random(in:using:)`, which may turn bits into values in another
/// way in a future version.
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

    /// Returns a random integer from 0 up to, but not including, `bound`.
    package mutating func index(below bound: Int) -> Int {
        precondition(bound > 0, "an index below \(bound)")
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns a random number from 0 up to, but not including, 1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a random number in `range`; all are equally likely.
    package mutating func value(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }
}
