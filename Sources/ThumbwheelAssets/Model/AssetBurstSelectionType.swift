/// Tells who has picked a member of a burst. Ordinary fetches find the representative of a burst and the members that
/// the user has picked.
public struct AssetBurstSelectionType: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The camera has picked the member.
    public static let autoPick = AssetBurstSelectionType(rawValue: 1 << 0)
    /// The user has picked the member.
    public static let userPick = AssetBurstSelectionType(rawValue: 1 << 1)
}
