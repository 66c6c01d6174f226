/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of files whose heads have been read or that are known to be unchanged.
    public var doneCount: Int
    /// The number of files that were found.
    public var totalCount: Int
}
