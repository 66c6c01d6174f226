import ThumbwheelFormats

/// The values that only few rows have, stored outside the columns.
struct RowDetails: Sendable {
    /// The resources of the row's asset. Nil if the columns describe them, as they do if there is only a photograph in
    /// a file with the asset's original filename.
    var resources: [AssetResource]?
    /// The head of the asset's file; nil if it fits into the columns.
    var head: ImageHead?
    var adjustment: AssetFacts.Adjustment?

    var isEmpty: Bool { resources == nil && head == nil && adjustment == nil }
}
