import ThumbwheelAssets
import ThumbwheelCore

/// A resource that is read chunk by chunk: its open source, and the offset up to which it has been read. It is a value
/// that is passed from thread to thread, so that no lock is held while the program's own code, such as a provider,
/// reads.
struct ResourceReading: Sendable {
    /// The length of a chunk in bytes. A request has one chunk in memory at a time.
    static let chunkByteCount = 256 << 10

    private let resource: AssetResource
    private let isNetworkAccessAllowed: Bool
    private var source: (any ByteSource)?
    private var offset = 0

    init(_ resource: AssetResource, isNetworkAccessAllowed: Bool) {
        self.resource = resource
        self.isNetworkAccessAllowed = isNetworkAccessAllowed
    }

    /// The fraction of the bytes that has been read; 1 for an empty resource.
    var fraction: Double {
        guard let count = source?.byteCount, count > 0 else { return source == nil ? 0 : 1 }
        return Double(offset) / Double(count)
    }

    /// Reads the next chunk; nil at the end. The first call opens the resource. The calling thread may have to wait for
    /// a disk or a network.
    mutating func next() throws(AssetResourceError) -> [UInt8]? {
        guard isNetworkAccessAllowed || resource.isLocallyAvailable else { throw .networkAccessRequired }
        do throws(ByteSourceError) {
            if source == nil { source = try resource.open() }
            guard let source else { return nil }
            guard offset < source.byteCount else { return nil }
            let chunk = try source.bytes(in: offset..<offset + min(Self.chunkByteCount, source.byteCount - offset))
            if !chunk.isEmpty {
                offset += chunk.count
                return chunk
            }
        } catch {
            throw .source(error)
        }
        throw .truncated(receivedByteCount: offset, expectedByteCount: source?.byteCount ?? offset)
    }
}
