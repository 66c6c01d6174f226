/// After either, everything is to be looked at anew.
public enum PersistentChangeError: Error, Equatable, Sendable {
    /// The history does not reach back so far, or the token is another library's, or of a change that was lost because the
    /// library was not saved after it (3105).
    case tokenExpired
    /// The transaction touched more objects than are remembered one by one (3210).
    case detailsUnavailable

    /// PhotoKit's number for the error.
    public var code: Int {
        switch self {
        case .tokenExpired: 3105
        case .detailsUnavailable: 3210
        }
    }
}
