/// The key of a value in a store on disk: 128 bits of a cryptographic digest of everything that the value was made
/// from.
///
/// Equal keys mean equal values, at all times and in all processes. So a value never becomes outdated.
public struct StoreKey: Hashable, Sendable {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// Makes a key of its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The row of the key in the index: 63 bits of the key. Two keys share a row only by chance, once in 2^63 pairs.
    /// The record in front of a value has the whole key, so in that case the store misses and never returns the value
    /// of the other key.
    var row: Int64 { Int64(bitPattern: low & (.max >> 1)) }
}
