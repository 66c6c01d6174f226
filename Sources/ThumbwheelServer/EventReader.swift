import CMicroHTTPD
import ThumbwheelLocks
import ThumbwheelService

/// Sends the events of a stream. The connection is suspended while none waits.
final class EventReader: Sendable {
    let stream: EventStream
    private let core: ServerCore
    private let connection: ConnectionPointer
    private let peer: Peer?
    /// Bytes that have been taken from the stream and not been sent.
    private let rest = Mutex<[UInt8]>([])

    init(_ stream: EventStream, _ core: ServerCore, _ connection: OpaquePointer, _ peer: Peer?) {
        (self.stream, self.core, self.peer) = (stream, core, peer)
        self.connection = ConnectionPointer(pointer: connection)
    }

    /// - Returns: the number of bytes copied; 0 if the connection has been suspended; nil at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let bytes = rest.withLock { rest -> [UInt8]? in
            if rest.isEmpty {
                guard let taken = stream.take() else { return nil }
                rest = taken
            }
            defer { rest.removeFirst(min(rest.count, buffer.count)) }
            return Array(rest.prefix(buffer.count))
        }
        guard let bytes else { return nil }
        if bytes.isEmpty {
            guard let peer,
                core.suspend(connection.pointer, peer, isStream: true, cancel: { [stream] in stream.close() })
            else {
                return nil
            }
            stream.whenReadable { [core, connection] in core.resume(connection, peer) }
        } else {
            // A client that takes no events has as long as one that takes no response.
            peer?.expect(within: core.configuration.headerSeconds * 1000)
        }
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
}
