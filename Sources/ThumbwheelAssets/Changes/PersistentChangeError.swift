/// The reason why changes cannot be listed from the history. The client must then read the whole library again.
public enum PersistentChangeError: Error, Equatable, Sendable {
    /// The token is of no use (PhotoKit's error number 3105): it is older than the history, or belongs to another
    /// library, or names a change that was lost because the library was not saved after it.
    case tokenExpired
    /// The history has no list of the objects that the transaction changed (PhotoKit's error number 3210): there were
    /// too many, or the list did not fit into the size limit of the history.
    case detailsUnavailable

    /// PhotoKit's error number.
    public var code: Int {
        switch self {
        case .tokenExpired: 3105
        case .detailsUnavailable: 3210
        }
    }
}
