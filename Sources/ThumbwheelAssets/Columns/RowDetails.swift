import ThumbwheelFormats

/// What few rows have.
struct RowDetails: Sendable {
    /// Where these are not one photograph in a file of the asset's own name.
    var resources: [AssetResource]?
    /// Where the head does not fit into its columns.
    var head: ImageHead?
    var adjustment: AssetFacts.Adjustment?

    var isEmpty: Bool { resources == nil && head == nil && adjustment == nil }
}
