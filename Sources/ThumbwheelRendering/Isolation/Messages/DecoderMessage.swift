/// A message from a decoder process to its host.
package enum DecoderMessage: Equatable, Sendable {
    /// The process is ready for jobs. `process` is its process number, and `containment` is the set of protections that
    /// surround it. The message is sent with a pidfd, a descriptor that refers to the process.
    case ready(process: Int, containment: Containment)
    /// The decoder needs `count` bytes of the file from `offset` on. The host puts them into the window (`SharedWindow`)
    /// at `place`, where they must fit.
    case read(offset: Int, count: Int, place: Int)
    /// The next image of the job. Its pixels are sent with the message.
    case image(ImageDescription)
    /// The next image of the job cannot be made.
    case failure(RenderError)
    /// All images of the job have been sent. The process is ready for another job.
    case done
    /// No image of the job can be made. The process is ready for another job.
    case failed(RenderError)
    /// A second thread could take part in the decode. The host answers with `.assist` or `.noAssistance`.
    case wantsAssistance

    package var bytes: [UInt8] {
        var writer: MessageWriter
        switch self {
        case .ready(let process, let containment):
            writer = MessageFormat.writer(0)
            writer.write(process)
            writer.write(containment.rawValue)
        case .read(let offset, let count, let place):
            writer = MessageFormat.writer(1)
            writer.write(offset)
            writer.write(count)
            writer.write(place)
        case .image(let description):
            writer = MessageFormat.writer(2)
            description.write(to: &writer)
        case .failure(let error):
            writer = MessageFormat.writer(3)
            error.write(to: &writer)
        case .done: writer = MessageFormat.writer(4)
        case .failed(let error):
            writer = MessageFormat.writer(5)
            error.write(to: &writer)
        case .wantsAssistance: writer = MessageFormat.writer(6)
        }
        return writer.bytes
    }

    init(_ message: ArraySlice<UInt8>) throws(MessageError) {
        var (kind, fields) = try MessageFormat.reader(message)
        switch kind {
        case 0:
            self = .ready(
                process: try fields.number(in: 1...Int(Int32.max)),
                containment: Containment(rawValue: try fields.byte()))
        case 1:
            self = .read(
                offset: try fields.number(in: 0...Int.max),
                count: try fields.number(in: 0...MessageFormat.windowByteCount),
                place: try fields.number(in: 0...MessageFormat.windowByteCount))
        case 2: self = .image(try ImageDescription(from: &fields))
        case 3: self = .failure(try RenderError(from: &fields))
        case 4: self = .done
        case 5: self = .failed(try RenderError(from: &fields))
        case 6: self = .wantsAssistance
        default: throw MessageError()
        }
        try fields.end()
    }
}
