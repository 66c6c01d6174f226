import ThumbwheelFormats

/// The values of a row that only few rows have. They are stored outside the columns.
struct RowDetails: Sendable {
    /// The resources of the asset; nil if the columns describe them. The columns do so if the asset has only one
    /// resource, its photograph or its video, in a file with the asset's original filename.
    var resources: [AssetResource]?
    /// The head of the asset's file (its format, size, orientation and dates); nil if the columns have room for it.
    var head: ImageHead?
    var adjustment: AssetFacts.Adjustment?

    var isEmpty: Bool { resources == nil && head == nil && adjustment == nil }
}
