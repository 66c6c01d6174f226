/// The reasons why a member of a burst is shown in addition to the burst's representative.
public struct BurstSelectionTypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The camera chose the member.
    public static let autoPick = BurstSelectionTypes(rawValue: 1 << 0)
    /// The user chose the member.
    public static let userPick = BurstSelectionTypes(rawValue: 1 << 1)
}
