/// Why bytes could not be had over a network.
public enum NetworkError: Error, Hashable, Sendable {
    /// No connection could be made, or it broke; `reason` is for people.
    case connectionFailed(reason: String)
    /// The server said nothing for longer than is allowed.
    case timedOut
    /// The server answered with an error: a status code of HTTP.
    case status(Int)
    /// The answer ended too soon.
    case truncated(receivedByteCount: Int, expectedByteCount: Int)
    /// The file is more than `limit` bytes long.
    case tooLarge(limit: Int)
    /// The file is another than it was when its first bytes were read.
    case changed
    /// The answer is none that the request could have; `reason` is for people.
    case invalidResponse(reason: String)
    /// The transfer was stopped by whoever had asked for it.
    case cancelled
}
