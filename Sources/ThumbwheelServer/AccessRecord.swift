import ThumbwheelService

/// A request that is over, for access logs.
public struct AccessRecord: Sendable {
    /// The method.
    public let method: String
    /// The target, without its parameters' values where they are secrets: signatures and tokens are left out.
    public let target: String
    /// The status; 0 if the client left before there was one.
    public let status: Int
    /// The bytes of the body that were sent.
    public let byteCount: Int
    /// The time from the first line of the request to the end of the response, in milliseconds.
    public let milliseconds: Double
    /// Whether the response was sent to its end.
    public let isComplete: Bool
    /// Notes on how the response was made.
    public let notes: ServiceNotes

    /// A target as it may be written into a log.
    static func loggable(_ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return target }
        let pairs = parts[1].split(separator: "&").map { pair -> Substring in
            let name = pair.prefix { $0 != "=" }
            return name == "signature" || name == "token" ? name + "=…" : pair
        }
        return parts[0] + "?" + pairs.joined(separator: "&")
    }
}
