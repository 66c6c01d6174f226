/// The reason why changes cannot be listed from the history. After either error, the client must read the library again.
public enum PersistentChangeError: Error, Equatable, Sendable {
    /// The history does not reach back to the token, the token belongs to another library, or it marks a change that was
    /// lost because the library was not saved afterwards (3105).
    case tokenExpired
    /// The transaction changed more objects than the history records one by one, or more than fit into the history's
    /// size limit (3210).
    case detailsUnavailable

    /// PhotoKit's number for the error.
    public var code: Int {
        switch self {
        case .tokenExpired: 3105
        case .detailsUnavailable: 3210
        }
    }
}
