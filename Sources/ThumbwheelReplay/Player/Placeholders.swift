/// The ways in which cells of a replay get placeholders.
public enum Placeholders: String, Sendable, CaseIterable {
    /// A cell has a placeholder if its asset has been decoded in the run, for any image.
    case seen
    /// Every cell has a placeholder, because the assets were imported with their hashes.
    case imported
    /// No cell has a placeholder.
    case none
}
