#if os(Linux)
import ThumbwheelLocks

/// A decoder process's connection to its host. The host answers the questions in the order in which they are asked.
///
/// One question may be asked ahead: the decoder goes on working while the host prepares the answer, and collects the
/// answer later.
final class HostConnection: Sendable {
    /// A message of the host, with the descriptor that came with it. It is an answer or a new job.
    typealias Received = (message: HostMessage, descriptor: PassedDescriptor?)

    /// The state of the answer to the question that was sent without waiting (`askAhead`).
    private enum EarlyAnswer {
        /// No answer is expected.
        case none
        case due
        /// The answer was received and is kept until `collectAnswer` is called. This happens if another question is
        /// asked meanwhile: the host answers in order, so the answer to the earlier question comes first.
        case came(Received)
    }

    private let socket: MessageSocket
    private let early = Mutex(EarlyAnswer.none)

    init(_ socket: MessageSocket) {
        self.socket = socket
    }

    func send(_ message: DecoderMessage, with descriptor: Int32? = nil) -> Bool {
        socket.send(message.bytes, with: descriptor)
    }

    /// Waits for the next message. Nil if the host is gone, or does not follow the protocol.
    func receive() -> Received? {
        guard let received = socket.receive(), let message = try? HostMessage(received.bytes[...]) else { return nil }
        return (message, received.descriptor)
    }

    /// Whether a message comes, or the connection ends, within `milliseconds`. If not, the process is idle and frees
    /// memory.
    func hasMessage(within milliseconds: Int32) -> Bool { socket.waitForMessage(milliseconds: milliseconds) }

    /// Asks the host, and waits for its answer. Threads that ask at the same time wait for each other.
    func ask(_ question: DecoderMessage) -> Received? {
        early.withLock { early in
            if case .due = early {
                guard let answer = receive() else { return nil }
                early = .came(answer)
            }
            return send(question) ? receive() : nil
        }
    }

    /// Asks the host a question without waiting for the answer, which `collectAnswer` returns later. The answer to an
    /// earlier question that was asked ahead must have been collected before.
    func askAhead(_ question: DecoderMessage) {
        early.withLock { early in
            // If the message cannot be sent, the host is gone, and `collectAnswer` finds the end of the connection.
            _ = send(question)
            early = .due
        }
    }

    /// Waits for the answer to the question that was asked ahead. Nil if there was none, or if the host is gone.
    func collectAnswer() -> Received? {
        early.withLock { early in
            defer { early = .none }
            switch early {
            case .none: return nil
            case .due: return receive()
            case .came(let answer): return answer
            }
        }
    }
}
#endif
