import ThumbwheelCore

/// The reason why the header of a file could not be read.
public enum HeadError: Error, Equatable, Sendable {
    /// The bytes are not those of an image type that this library knows.
    case unknownType
    /// The file ends inside its header.
    case truncated
    /// The header contradicts itself or the rules of its format; `reason` describes the fault for people.
    case malformed(reason: String)
    /// The header is larger, or has more parts, than the reader's limits allow.
    case limitExceeded(reason: String)
    /// The bytes could not be read.
    case source(ByteSourceError)
}
