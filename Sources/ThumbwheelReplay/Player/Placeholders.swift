/// The ways in which cells of a replay get placeholders.
public enum Placeholders: String, Sendable, CaseIterable {
    /// Those of assets that have been decoded in the run, for whatever image.
    case seen
    /// All: the assets were imported with their hashes.
    case imported
    /// No cell has a placeholder.
    case none
}
