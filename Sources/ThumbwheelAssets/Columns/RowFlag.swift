/// The properties of a row that are true or false; each is stored as one bit for each row.
enum RowFlag: Int, CaseIterable, Sendable {
    case alive, favorite, hidden, trashed
    /// A member of a burst that ordinary fetches leave out. It is neither the representative nor picked by the user.
    case burstRest
    /// An asset from outside the user's own library.
    case foreign
    case located, representsBurst, autoPick, userPick, adjusted, raw, animated
    /// An asset in Recently Deleted because its file was gone when its folder was imported again.
    case sourceMissing

    /// The number of flags, counted from the first case, that are stored in `ChunkColumns` itself. Every fetch reads
    /// them and most edits write them. The other flags are in `SettledColumns`.
    static let scopeCount = 6
    static let settledCount = allCases.count - scopeCount
}
