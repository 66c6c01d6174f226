/// Data that describes an edit, as in PhotoKit. Only the program that made the edit can read it; the library stores it
/// as plain bytes. See <doc:Semantics#Adjustments>.
public struct AdjustmentData: Sendable, Hashable {
    /// The name of the data's format, in reverse-DNS notation.
    public var formatIdentifier: String
    /// The version of the data's format.
    public var formatVersion: String
    /// The bytes that describe the edit.
    public var data: [UInt8]

    /// Makes adjustment data from its parts.
    public init(formatIdentifier: String, formatVersion: String, data: [UInt8]) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}
