import CHiredis

/// An answer of Redis.
enum RedisReply: Equatable, Sendable {
    case null
    case integer(Int)
    case status(String)
    case bytes([UInt8])
    case array([RedisReply])
    case error(String)

    /// Whether the answer is the status `OK`.
    var isOK: Bool { self == .status("OK") }

    /// The bytes of a value; nil for every other answer.
    var value: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    var errorText: String? {
        if case .error(let text) = self { text } else { nil }
    }
}

extension RedisReply {
    /// Arrays in arrays beyond this depth are no answer to any command of this library. hiredis itself reads 7 levels.
    private static let deepest = 8

    /// Copies an answer that hiredis has read.
    init(_ reply: UnsafePointer<redisReply>, depth: Int = 0) {
        let reply = reply.pointee
        switch reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(Int(clamping: reply.integer))
        case REDIS_REPLY_STATUS: self = .status(Self.text(reply))
        case REDIS_REPLY_ERROR: self = .error(Self.text(reply))
        case REDIS_REPLY_STRING: self = .bytes(Self.bytes(reply))
        case REDIS_REPLY_ARRAY:
            guard depth < Self.deepest, let elements = reply.element else {
                self = .array([])
                return
            }
            self = .array(
                (0..<reply.elements).map { index in
                    elements[index].map { RedisReply($0, depth: depth + 1) } ?? .null
                })
        default: self = .null
        }
    }

    private static func bytes(_ reply: redisReply) -> [UInt8] {
        guard let text = reply.str else { return [] }
        return Array(UnsafeRawBufferPointer(start: text, count: reply.len))
    }

    private static func text(_ reply: redisReply) -> String { String(decoding: bytes(reply), as: UTF8.self) }
}
