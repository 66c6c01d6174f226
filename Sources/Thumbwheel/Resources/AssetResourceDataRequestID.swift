/// The name of a request within its `AssetResourceManager`; never used twice there.
public struct AssetResourceDataRequestID: Hashable, Sendable {
    /// The number; later requests have larger ones.
    public let rawValue: UInt64
}
