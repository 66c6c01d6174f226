import ThumbwheelCore

/// The reason why the head of a file, the facts that are read without decoding a pixel, could not be read.
public enum HeadError: Error, Equatable, Sendable {
    /// The bytes are of no image type that this library knows.
    case unknownType
    /// The file ends inside its head.
    case truncated
    /// The head contradicts itself or the format's rules; `reason` says how, for people.
    case malformed(reason: String)
    /// The head is larger, or has more parts, than the reader's limits allow.
    case limitExceeded(reason: String)
    /// The bytes could not be read.
    case source(ByteSourceError)
}
