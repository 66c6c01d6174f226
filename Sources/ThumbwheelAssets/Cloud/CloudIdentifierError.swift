import ThumbwheelCore

/// The reason why a local identifier could not be translated into a cloud identifier, or a cloud identifier into
/// exactly one local identifier.
public enum CloudIdentifierError: Error, Equatable, Sendable {
    /// No asset that the user may see has this identifier, or the identifier names an album or a folder, which have no
    /// bytes (PhotoKit's error number 3201).
    case identifierNotFound(String)
    /// Several assets have the same bytes. Their local identifiers are listed in the order of import (PhotoKit's error
    /// number 3202).
    case multipleIdentifiersFound([String])
    /// The original is not on this machine, and would have to be read over a network (PhotoKit's error number 3164).
    case networkAccessRequired(String)
    /// The original cannot be read (PhotoKit's error number 3302).
    case unreadable(ByteSourceError)

    /// PhotoKit's error number.
    public var code: Int {
        switch self {
        case .identifierNotFound: 3201
        case .multipleIdentifiersFound: 3202
        case .networkAccessRequired: 3164
        case .unreadable: 3302
        }
    }
}
