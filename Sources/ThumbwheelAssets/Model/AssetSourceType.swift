/// The kinds of sources from which assets come.
public struct AssetSourceType: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The user's own library.
    public static let userLibrary = AssetSourceType(rawValue: 1)
    /// A shared album of a cloud service.
    public static let cloudShared = AssetSourceType(rawValue: 2)
    /// A library on another computer, from which the asset was synced.
    public static let iTunesSynced = AssetSourceType(rawValue: 4)
}
