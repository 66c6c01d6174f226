#if os(Linux)
import ThumbwheelLocks

/// A decoder process's connection to its host. Every question is answered before the next one is asked.
final class HostConnection: Sendable {
    private let socket: MessageSocket
    private let turn = Mutex(())

    init(_ socket: MessageSocket) {
        self.socket = socket
    }

    func send(_ message: DecoderMessage, with descriptor: Int32? = nil) -> Bool {
        socket.send(message.bytes, with: descriptor)
    }

    /// Waits for the next message. Nil if the host is gone, or does not follow the protocol.
    func receive() -> (HostMessage, PassedDescriptor?)? {
        guard let received = socket.receive(), let message = try? HostMessage(received.bytes[...]) else { return nil }
        return (message, received.descriptor)
    }

    /// Whether a message comes within `milliseconds`, or the end of the connection.
    func hasMessage(within milliseconds: Int32) -> Bool { socket.waitForMessage(milliseconds: milliseconds) }

    /// Asks the host, and waits for its answer. Threads that ask at the same time wait for each other.
    func ask(_ question: DecoderMessage) -> (HostMessage, PassedDescriptor?)? {
        turn.withLock { _ in send(question) ? receive() : nil }
    }
}
#endif
