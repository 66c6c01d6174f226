/// The recipe of an edit, opaque to the library; see <doc:Semantics#Adjustments>.
public struct AdjustmentData: Sendable, Hashable {
    /// A reverse-DNS name.
    public var formatIdentifier: String
    /// The version of the format.
    public var formatVersion: String
    /// The recipe.
    public var data: [UInt8]

    /// Makes a recipe of its parts.
    public init(formatIdentifier: String, formatVersion: String, data: [UInt8]) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}
