/// An asset of a replay as it was at one time. Two states are equal if their images are the same.
public struct AssetState: Hashable, Sendable {
    /// The asset's number among the replay's assets.
    public var number: Int
    /// How often the asset's content has changed.
    public var version: UInt32

    init(number: Int, version: UInt32 = 0) {
        self.number = number
        self.version = version
    }
}
