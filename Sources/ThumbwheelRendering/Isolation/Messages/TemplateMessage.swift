/// A message from the template process, from which all decoder processes are forked, to the host.
enum TemplateMessage: Equatable, Sendable {
    /// A decoder process has ended: by a signal, or by itself if `signal` is 0.
    case ended(process: Int, signal: Int)

    /// The only message in the other direction, from the host to the template process: a request to fork one more
    /// decoder process. A socket is sent with it, over which the new process will exchange messages with the host.
    static let request = MessageFormat.writer(0).bytes

    var bytes: [UInt8] {
        switch self {
        case .ended(let process, let signal):
            var writer = MessageFormat.writer(1)
            writer.write(process)
            writer.write(signal)
            return writer.bytes
        }
    }

    init(_ message: ArraySlice<UInt8>) throws(MessageError) {
        var (kind, fields) = try MessageFormat.reader(message)
        guard kind == 1 else { throw MessageError() }
        self = .ended(
            process: try fields.number(in: 1...Int(Int32.max)), signal: try fields.number(in: 0...127))
        try fields.end()
    }
}
