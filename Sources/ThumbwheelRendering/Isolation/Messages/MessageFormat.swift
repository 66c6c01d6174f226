/// The form that all messages between a host and its decoder processes have: the version of the protocol, the kind of
/// the message, and the fields of that kind.
enum MessageFormat {
    /// The version of the protocol. Both sides belong to one build of the library, so a message of any other version is
    /// an error.
    static let version: UInt8 = 4
    /// The largest message in bytes. A message is sent by one system call, and must fit into a socket's buffer.
    static let byteLimit = 64 << 10
    /// The largest number of bytes of a file that are sent together with a job.
    static let frontLimit = 48 << 10
    /// The size in bytes of the window: the memory, shared by host and decoder process, in which the host places parts
    /// of a file that the decoder asks for.
    static let windowByteCount = 4 << 20
    /// The largest number of options in one job; an image is made for each of them.
    static let optionLimit = 256
    /// The largest number of bytes, in UTF-8, of the text that tells the reason for an error.
    static let textLimit = 512

    static func writer(_ kind: UInt8) -> MessageWriter {
        var writer = MessageWriter()
        writer.write(version)
        writer.write(kind)
        return writer
    }

    /// Returns the kind of a message, and a reader of its fields.
    static func reader(_ bytes: ArraySlice<UInt8>) throws(MessageError) -> (kind: UInt8, fields: MessageReader) {
        var reader = MessageReader(bytes)
        guard bytes.count <= byteLimit, try reader.byte() == version else { throw MessageError() }
        return (try reader.byte(), reader)
    }
}
