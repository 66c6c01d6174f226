import ThumbwheelFormats

/// The values of a row that only few rows have. They are stored outside the columns.
struct RowDetails: Sendable {
    /// The resources of the asset; nil if they are stored in the columns. They are stored there if the asset has only
    /// one resource, its photograph or its video, in a file with the asset's original filename.
    var resources: [AssetResource]?
    /// The head of the asset's file (its format, size, orientation and dates), if it does not fit into the columns. Nil
    /// if it is stored in the columns.
    var head: ImageHead?
    var adjustment: AssetFacts.Adjustment?
    /// The date up to which imports ignore renderings in files (see `AssetFacts.ignoredRenderingDate`), in seconds
    /// since the reference date.
    var ignoredRenderingDate: Double?

    var isEmpty: Bool { resources == nil && head == nil && adjustment == nil && ignoredRenderingDate == nil }
}
