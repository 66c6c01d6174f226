#if os(Linux)
import CIsolation
import Glibc

/// One end of a connection between a host and a decoder process. Each message is sent and received as a whole.
///
/// Messages may be sent by several threads; they are received by one thread at a time.
final class MessageSocket: Sendable {
    let descriptor: Int32

    /// Takes over the descriptor, which is closed with the socket.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Makes a new connection, and returns its two ends. A program that this process starts does not inherit them. Nil
    /// if the process has no descriptors left.
    static func pair() -> (MessageSocket, MessageSocket)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (MessageSocket(descriptor: ends[0]), MessageSocket(descriptor: ends[1]))
    }

    /// Sends a message and, if `descriptor` is given, a duplicate of that descriptor.
    ///
    /// - Parameter waits: whether the call waits while the other end reads slowly.
    /// - Returns: false if the other end is closed or does not read.
    @discardableResult
    func send(_ message: [UInt8], with descriptor: Int32? = nil, waits: Bool = true) -> Bool {
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        return tw_send(self.descriptor, message, message.count, descriptor ?? -1, flags) == message.count
    }

    /// A message that was received.
    struct Received {
        let bytes: [UInt8]
        /// The descriptor that came with the message; nil if none came. It is closed when the last reference to this
        /// object is gone.
        let descriptor: PassedDescriptor?
    }

    /// Waits for the next message. Nil once the connection is closed, and for messages larger than the protocol allows.
    ///
    /// - Parameter waits: if false, the function returns nil at once if there is no message.
    func receive(waits: Bool = true) -> Received? {
        var passed: Int32 = -1
        var count = 0
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        let own = self.descriptor
        let bytes = [UInt8](unsafeUninitializedCapacity: MessageFormat.byteLimit) { buffer, filled in
            count = tw_receive(own, buffer.baseAddress, buffer.count, &passed, flags)
            filled = max(0, count)
        }
        let descriptor = passed >= 0 ? PassedDescriptor(passed) : nil
        return count > 0 ? Received(bytes: bytes, descriptor: descriptor) : nil
    }

    /// Waits up to `milliseconds` for a message, or for the end of the connection.
    ///
    /// - Returns: whether one of them has come.
    @discardableResult
    func waitForMessage(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Waits up to `milliseconds` for the other end to be closed, and returns whether it was. This function must be
    /// called only on a connection over which no messages come.
    func isClosedByOther(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Closes this end for sending. The other end can still send messages.
    func shutDownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the connection at once. A thread that waits for a message returns without one.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
#endif
