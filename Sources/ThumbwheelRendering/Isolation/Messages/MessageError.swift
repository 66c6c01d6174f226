/// A message that does not follow the protocol. Whoever sent it is not served any longer.
struct MessageError: Error, Equatable {}
