import Foundation
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

    /// The most bytes of a target that a record has. No address of the service is longer.
    private static let targetByteLimit = 2048

    /// A target as it may be written into a log. What is longer than any address of the service is cut off, because a record may wait
    /// for the disk.
    static func loggable(_ target: String) -> String {
        let short =
            target.utf8.count <= targetByteLimit
            ? target : String(decoding: target.utf8.prefix(targetByteLimit), as: UTF8.self) + "…"
        let parts = short.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return short }
        let pairs = parts[1].split(separator: "&").map { pair -> Substring in
            let name = pair.prefix { $0 != "=" }
            // The handler reads a name that is written with percent signs, too.
            return ["signature", "token"].contains(name.removingPercentEncoding) ? name + "=…" : pair
        }
        return parts[0] + "?" + pairs.joined(separator: "&")
    }
}
