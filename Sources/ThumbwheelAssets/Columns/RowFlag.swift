/// What a row answers with yes or no: a plane of bits each.
enum RowFlag: Int, CaseIterable, Sendable {
    case alive, favorite, hidden, trashed
    /// A member of a burst that ordinary fetches leave out: neither its representative nor picked by the user.
    case burstRest
    /// Not of the user's own library.
    case foreign
    case located, representsBurst, autoPick, userPick, adjusted, raw, animated
    /// In Recently Deleted because its file was gone when its folder was imported again.
    case sourceMissing

    /// So many, the first ones, are read by every fetch, and written by most edits.
    static let scopeCount = 6
    static let settledCount = allCases.count - scopeCount
}
