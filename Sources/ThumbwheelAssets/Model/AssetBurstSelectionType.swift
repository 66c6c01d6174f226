/// Who picked a member of a burst. In addition to the burst's representative, ordinary fetches show the members that
/// the user picked.
public struct AssetBurstSelectionType: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The camera chose the member.
    public static let autoPick = AssetBurstSelectionType(rawValue: 1 << 0)
    /// The user chose the member.
    public static let userPick = AssetBurstSelectionType(rawValue: 1 << 1)
}
