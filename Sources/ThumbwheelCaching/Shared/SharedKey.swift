/// The key of a value in a shared store: the key that all servers give the value, and a group that all values of one
/// photograph have in common, so that a store of several machines can keep them on one.
public struct SharedKey: Hashable, Sendable {
    /// The number that all values of one photograph have in common.
    public let group: UInt64
    /// The key of the value.
    public let key: StoreKey

    /// Makes the key of a value of a group.
    public init(group: UInt64, key: StoreKey) {
        (self.group, self.key) = (group, key)
    }
}
