/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of files that have been read or are known to be unchanged.
    public var doneCount: Int
    /// The number of files that the search has found.
    public var totalCount: Int
}
