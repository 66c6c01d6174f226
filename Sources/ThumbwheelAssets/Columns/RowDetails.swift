import ThumbwheelFormats

/// The values that only few rows have, stored outside the columns.
struct RowDetails: Sendable {
    /// The resources; nil if the only resource is a photograph in a file named like the asset, which the columns
    /// describe.
    var resources: [AssetResource]?
    /// The head; nil if it fits into the columns.
    var head: ImageHead?
    var adjustment: AssetFacts.Adjustment?

    var isEmpty: Bool { resources == nil && head == nil && adjustment == nil }
}
