/// What a server tells those that wait for its claim when it frees it.
enum RedisClaimMessage: Hashable, Sendable {
    /// The value may be there now, or may be claimed by another.
    case lookAgain
    /// The value was made, and cannot be kept, whoever makes it: each is to make its own.
    case noValue

    private static let noValueBytes = Array("none".utf8)

    /// Reads a message. All messages but one mean `lookAgain`.
    init(_ bytes: [UInt8]) { self = bytes == Self.noValueBytes ? .noValue : .lookAgain }

    var bytes: [UInt8] { self == .noValue ? Self.noValueBytes : [] }
}
