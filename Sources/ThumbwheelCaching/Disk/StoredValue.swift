/// A value in a store on disk.
public struct StoredValue: Sendable, Equatable {
    /// The bytes of the value; the store does not look at them.
    public var bytes: [UInt8]
    /// The time that making the value took, in microseconds. Expensive values are kept longer.
    public var cost: UInt32
    /// Whether the value is a note that something cannot be made.
    public var isNegative: Bool

    /// Makes a value. The cost is in microseconds.
    public init(_ bytes: [UInt8], cost: UInt32 = 0, isNegative: Bool = false) {
        self.bytes = bytes
        self.cost = cost
        self.isNegative = isNegative
    }
}
