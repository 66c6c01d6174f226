import ThumbwheelCore

/// The reason why an identifier has no counterpart.
public enum CloudIdentifierError: Error, Equatable, Sendable {
    /// Nothing that the view sees has this identifier, or it names an album or a folder, which have no bytes (3201).
    case identifierNotFound(String)
    /// Several assets have the same bytes; the local identifiers are in the order of import (3202).
    case multipleIdentifiersFound([String])
    /// The original is not on this machine (3164).
    case networkAccessRequired(String)
    /// The original cannot be read (3302).
    case unreadable(ByteSourceError)

    /// PhotoKit's number.
    public var code: Int {
        switch self {
        case .identifierNotFound: 3201
        case .multipleIdentifiersFound: 3202
        case .networkAccessRequired: 3164
        case .unreadable: 3302
        }
    }
}
