/// The reason why bytes could not be fetched over a network.
public enum NetworkError: Error, Hashable, Sendable {
    /// No connection could be made, or it broke; `reason` is for people.
    case connectionFailed(reason: String)
    /// The server sent nothing for longer than is allowed.
    case timedOut
    /// The server answered with this HTTP status code, which means an error.
    case status(Int)
    /// The answer ended before all expected bytes had arrived.
    case truncated(receivedByteCount: Int, expectedByteCount: Int)
    /// The file is more than `limit` bytes long.
    case tooLarge(limit: Int)
    /// The file on the server has changed since its first bytes were read.
    case changed
    /// The server's answer does not fit the request; `reason` is for people.
    case invalidResponse(reason: String)
    /// The transfer was stopped by the caller that had asked for it.
    case cancelled
}
