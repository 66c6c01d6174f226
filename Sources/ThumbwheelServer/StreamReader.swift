import CMicroHTTPD
import ThumbwheelLocks
import ThumbwheelService

/// Sends the bytes of a stream. The connection is suspended while none wait.
final class StreamReader: Sendable {
    let stream: ByteStream
    /// Whether the stream is one of events, which ends when the server begins to stop.
    let isEvents: Bool
    private let core: ServerCore
    private let connection: ConnectionPointer
    private let exchange: Exchange
    var peer: Peer? { exchange.peer }
    /// Bytes that have been taken from the stream and not been sent.
    private let rest = Mutex<ArraySlice<UInt8>>([])

    init(_ stream: ByteStream, isEvents: Bool, _ core: ServerCore, _ connection: OpaquePointer, _ exchange: Exchange) {
        (self.stream, self.isEvents, self.core, self.exchange) = (stream, isEvents, core, exchange)
        self.connection = ConnectionPointer(pointer: connection)
    }

    /// Whether a stream that is over ended as it should.
    var isComplete: Bool { isEvents || stream.isComplete }

    /// - Returns: the number of bytes copied; 0 if the connection has been suspended; nil at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let bytes = rest.withLock { rest -> [UInt8]? in
            if rest.isEmpty {
                guard let taken = stream.take() else { return nil }
                rest = taken[...]
            }
            defer { rest = rest.dropFirst(buffer.count) }
            return Array(rest.prefix(buffer.count))
        }
        guard let bytes else { return nil }
        if bytes.isEmpty {
            guard let peer,
                core.suspend(connection.pointer, peer, isStream: isEvents, cancel: { [stream] in stream.close() })
            else {
                // Pictures that would come from now on are lost.
                stream.close()
                return nil
            }
            stream.whenReadable { [core, connection] in core.resume(connection, peer) }
        } else {
            // A client that takes no bytes has as long as one that takes no response.
            peer?.expect(within: core.configuration.headerSeconds * 1000)
        }
        exchange.countStreamed(bytes.count)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
}
