/// A value as a store on disk keeps it.
public struct StoredValue: Sendable, Equatable {
    public var bytes: [UInt8]
    /// The microseconds that it took to make the value. What was dear to make is kept longer.
    public var cost: UInt32
    /// Whether the value says that something cannot be made.
    public var isNegative: Bool

    public init(_ bytes: [UInt8], cost: UInt32 = 0, isNegative: Bool = false) {
        self.bytes = bytes
        self.cost = cost
        self.isNegative = isNegative
    }
}
