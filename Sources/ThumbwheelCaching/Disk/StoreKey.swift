/// The name of a value in a store on disk: 128 bits of a cryptographic digest of everything that the value was made of.
///
/// Equal keys mean equal values, for ever and in every process. So a value never expires.
public struct StoreKey: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The row of the key in the index. Two keys have one row by chance only, once in 2^63 pairs. The record of a value has its
    /// whole key, so that such a pair costs a miss and never brings another value.
    var row: Int64 { Int64(bitPattern: low & (.max >> 1)) }
}
