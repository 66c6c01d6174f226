import Foundation
import ThumbwheelAssets
import ThumbwheelCore

/// The photograph at an address.
public struct HTTPResource: ResourceProvider {
    /// The address.
    public let url: URL
    let client: HTTPClient

    public var identifier: String { url.absoluteString }

    public var requiresNetwork: Bool { true }

    /// Reads the beginning, and on demand what else is asked for, by ranges; each read may wait for the network on its
    /// thread. A file that changes meanwhile is `.network(.changed)`; a server that knows no ranges sends all of it at once.
    public func open() throws(ByteSourceError) -> any ByteSource { try HTTPByteSource(url: url, client: client) }

    public func fetch(
        upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void
    ) async throws(ByteSourceError) -> [UInt8] {
        do throws(NetworkError) {
            return try await client.transfer(url, .whole, upTo: byteLimit, progress: progress).content().bytes
        } catch {
            throw .network(error)
        }
    }
}
