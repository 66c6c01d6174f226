import ThumbwheelCore

/// The bytes behind the head of a response.
public enum ServiceBody: Sendable {
    /// No bytes.
    case none
    /// Bytes in memory.
    case bytes([UInt8])
    /// A range of a file, or of another source. An `OpenFile` has a descriptor that the system can send from.
    case source(any ByteSource, Range<Int>)
    /// Events for as long as the client listens.
    case events(ByteStream)
    /// Bytes that come as they are made, until all are there, which `ByteStream.isComplete` tells.
    case stream(ByteStream)

    /// The number of bytes; nil for events and streams.
    public var byteCount: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .source(_, let range): range.count
        case .events, .stream: nil
        }
    }
}
