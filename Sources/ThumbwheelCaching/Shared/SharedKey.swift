/// The key of a value in a shared store: the key that all servers give the value, and a group that all values of one
/// photograph have in common, so that a store of several machines can keep them on one.
public struct SharedKey: Hashable, Sendable {
    public let group: UInt64
    public let key: StoreKey

    public init(group: UInt64, key: StoreKey) {
        (self.group, self.key) = (group, key)
    }
}
