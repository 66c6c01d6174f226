import Foundation
import ThumbwheelAssets
import ThumbwheelCore

/// A photograph at an HTTP or HTTPS address.
public struct HTTPResource: ResourceProvider {
    /// The photograph's address.
    public let url: URL
    let client: HTTPClient

    public var identifier: String { url.absoluteString }

    public var requiresNetwork: Bool { true }

    public var offersRanges: Bool { true }

    /// Opens the photograph by reading its beginning. Further bytes are read on demand, by ranges; each read may wait for the
    /// network on its thread. If the file changes meanwhile, a read fails with `.network(.changed)`. A server that does not
    /// support ranges sends the whole file at once.
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
