/// The contents of a store, as they lie on the disk.
public struct StoreContents: Sendable, Equatable {
    /// The number of values.
    public var entryCount = 0
    /// The bytes of all values.
    public var valueByteCount = 0
    /// The number of negative values, which are notes that something cannot be made.
    public var negativeCount = 0
    /// The bytes of all files of the store.
    public var byteCount = 0
    /// The number of values that `verify` has found damaged and has removed.
    public var damagedCount = 0

    /// Makes the contents of an empty store.
    public init() {}
}
