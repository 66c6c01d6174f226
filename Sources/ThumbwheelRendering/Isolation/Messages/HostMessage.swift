/// A message from the host to a decoder process.
enum HostMessage: Equatable, Sendable {
    /// A file to decode. The process has no other job at that time.
    case job(DecodeJob)
    /// The bytes that the decoder asked for are in the window (`SharedWindow`). `count` is smaller than the number of
    /// bytes that the decoder asked for if the file ends before.
    case placed(count: Int)
    /// The bytes that the decoder asked for cannot be read.
    case unreadable
    /// A thread of the host is idle, so the decoder may run a second thread. The message is sent with a descriptor,
    /// which is the decoder's end of a new connection. The decoder closes this end when its second thread has finished.
    /// The host ends the connection when it needs its own thread again, and the decoder's second thread then stops.
    case assist
    /// No thread of the host is idle.
    case noAssistance

    var bytes: [UInt8] {
        switch self {
        case .job(let job):
            var writer = MessageFormat.writer(0)
            job.write(to: &writer)
            return writer.bytes
        case .placed(let count):
            var writer = MessageFormat.writer(1)
            writer.write(count)
            return writer.bytes
        case .unreadable: return MessageFormat.writer(2).bytes
        case .assist: return MessageFormat.writer(3).bytes
        case .noAssistance: return MessageFormat.writer(4).bytes
        }
    }

    init(_ message: ArraySlice<UInt8>) throws(MessageError) {
        var (kind, fields) = try MessageFormat.reader(message)
        switch kind {
        case 0: self = .job(try DecodeJob(from: &fields))
        case 1: self = .placed(count: try fields.number(in: 0...MessageFormat.windowByteCount))
        case 2: self = .unreadable
        case 3: self = .assist
        case 4: self = .noAssistance
        default: throw MessageError()
        }
        try fields.end()
    }
}
