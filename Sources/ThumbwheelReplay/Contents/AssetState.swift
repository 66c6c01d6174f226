/// An asset of a replay as it was at one time: equal where its image is the same.
public struct AssetState: Hashable, Sendable {
    /// The asset's number among the replay's assets.
    public var number: Int
    /// How often its content has changed.
    public var version: UInt32

    init(number: Int, version: UInt32 = 0) {
        self.number = number
        self.version = version
    }
}
