/// The reasons why a Redis server is not used at the moment.
public enum RedisError: Error, Hashable, Sendable {
    /// The server cannot be reached, or has closed the connection.
    case disconnected(reason: String)
    /// The server has not answered within the time that is allowed.
    case timedOut
    /// The server has refused the first commands of a connection, for example a password, or has said that it is of no
    /// use: it is a replica now, or is still reading its values.
    case refused(reason: String)
    /// The answer is none that Redis gives.
    case malformed
}

extension RedisError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .disconnected(let reason): "Redis cannot be reached: \(reason)."
        case .timedOut: "Redis has not answered in time."
        case .refused(let reason): "Redis refuses to serve: \(reason)."
        case .malformed: "What answers is not Redis."
        }
    }
}
