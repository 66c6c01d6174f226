/// The error for a message that does not follow the protocol. A host or a decoder process that has received such a
/// message ends the exchange with its sender.
struct MessageError: Error, Equatable {}
