/// The reasons why a member of a burst is shown beside its representative.
public struct BurstSelectionTypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The camera chose it.
    public static let autoPick = BurstSelectionTypes(rawValue: 1 << 0)
    /// The user chose it.
    public static let userPick = BurstSelectionTypes(rawValue: 1 << 1)
}
