/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// Files whose heads have been read, or that are known to be as they were.
    public var doneCount: Int
    /// Files that were found.
    public var totalCount: Int
}
