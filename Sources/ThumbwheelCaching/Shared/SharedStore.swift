/// A store of finished images that several servers share: the storage tier below memory and disk.
///
/// `ThumbwheelRedis` has one on Redis; a host may bring its own. A manager never waits for it: a look-up that is not
/// answered in time is given up, and the image is made. No call may block, and none may fail in any other way than by its
/// answer. Values are immutable, and equal keys mean equal values, so a store may lose values at any time.
///
/// The host makes the store, may give it to several managers, and closes it after they have been shut down.
public protocol SharedStore: Sendable {
    /// What the store has done in this process, and whether it works.
    var statistics: SharedStoreStatistics { get }

    /// The bytes that a value may have. Larger ones are not put.
    var valueByteLimit: Int { get }

    /// Looks a value up, and returns at once.
    ///
    /// - Parameter completion: called exactly once, on any thread. It does not block.
    func lookUp(_ key: SharedKey, completion: @escaping @Sendable (SharedAnswer) -> Void)

    /// Begins to store a value, and returns at once. The store may drop the value.
    ///
    /// - Parameter completion: called exactly once, on any thread, when the value is stored or dropped. It does not block.
    func put(_ value: StoredValue, for key: SharedKey, completion: @escaping @Sendable () -> Void)

    /// Claims the making of a value, and returns at once. Of several servers that claim a value at the same time, one is
    /// told to make it, and the others get it from that one. A store that cannot do this answers `.unavailable`, which is
    /// the default.
    ///
    /// - Parameters:
    ///   - lifetime: the time after which another server may win the claim, because the first may have died.
    ///   - completion: called exactly once, on any thread. It does not block.
    func claim(
        _ key: SharedKey, lifetime: Duration, completion: @escaping @Sendable (SharedClaimAnswer) -> Void
    ) -> any SharedClaim
}

extension SharedStore {
    public func claim(
        _ key: SharedKey, lifetime: Duration, completion: @escaping @Sendable (SharedClaimAnswer) -> Void
    ) -> any SharedClaim {
        completion(.unavailable)
        return NoClaim()
    }
}

/// A claim in a store that has none.
private struct NoClaim: SharedClaim {
    func end() {}
}
