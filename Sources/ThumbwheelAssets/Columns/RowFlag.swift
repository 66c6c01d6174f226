/// The properties of a row that are true or false. Each is stored as one bit for each row.
enum RowFlag: Int, CaseIterable, Sendable {
    case alive, favorite, hidden, trashed
    /// The row is a member of a burst that ordinary fetches leave out: it neither represents the burst nor was picked
    /// by the user.
    case burstRest
    /// The asset does not come from the user's own library.
    case outsideUserLibrary
    case located, representsBurst, autoPick, userPick, adjusted, raw, animated
    /// The asset is in Recently Deleted because its file was missing when its folder was imported again.
    case sourceMissing

    /// The number of flags that are stored in `ChunkColumns`. These are the first flags of this enum: every fetch reads
    /// them, and most edits write some of them. The flags after them are stored in `SettledColumns`.
    static let scopeCount = 6
    static let settledCount = allCases.count - scopeCount
}
