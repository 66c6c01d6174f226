import CHiredis

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A socket to a Redis server that never blocks, with the protocol of hiredis. One thread uses it.
final class RedisLink {
    private let context: UnsafeMutablePointer<redisContext>
    /// Whether commands are left that the socket has not taken.
    private(set) var hasOutput = false

    /// Begins to connect. Whether the server answers shows later.
    init(_ address: RedisAddress) throws(RedisError) {
        let context =
            switch address {
            case .port(let host, let port): redisConnectNonBlock(host, Int32(port))
            case .socket(let path): redisConnectUnixNonBlock(path)
            }
        guard let context else { throw .disconnected(reason: "out of memory") }
        guard context.pointee.err == 0 else {
            let reason = Self.reason(of: context)
            redisFree(context)
            throw .disconnected(reason: reason)
        }
        self.context = context
    }

    /// Begins to connect to the first address for which the system allows it.
    static func open(anyOf addresses: [RedisAddress]) throws(RedisError) -> RedisLink {
        guard let last = addresses.last else { throw .disconnected(reason: "the host has no address") }
        for address in addresses.dropLast() {
            if let link = try? RedisLink(address) { return link }
        }
        return try RedisLink(last)
    }

    deinit { redisFree(context) }

    private static func reason(of context: UnsafeMutablePointer<redisContext>) -> String {
        withUnsafeBytes(of: context.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private var error: RedisError { .disconnected(reason: Self.reason(of: context)) }

    var descriptor: Int32 { context.pointee.fd }

    func append(_ command: RedisCommand) throws(RedisError) {
        let bytes = command.arguments.flatMap { $0 }
        let status = bytes.withUnsafeBytes { buffer -> Int32 in
            // hiredis wants a pointer to each argument, also to an empty one.
            let base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
            var place = 0
            var pointers: [UnsafePointer<CChar>?] = []
            for argument in command.arguments {
                pointers.append((base + place).assumingMemoryBound(to: CChar.self))
                place += argument.count
            }
            return redisAppendCommandArgv(
                context, Int32(command.arguments.count), &pointers, command.arguments.map(\.count))
        }
        guard status == REDIS_OK else { throw error }
        hasOutput = true
    }

    /// Writes as much as the socket takes.
    func write() throws(RedisError) {
        var done: Int32 = 0
        guard redisBufferWrite(context, &done) == REDIS_OK else { throw error }
        hasOutput = done == 0
    }

    /// Reads the bytes that have come, at most 16 KiB of them.
    func read() throws(RedisError) {
        guard redisBufferRead(context) == REDIS_OK else { throw error }
    }

    /// Takes the next answer of those that have come; nil if none is complete.
    func takeReply() throws(RedisError) -> RedisReply? {
        var reply: UnsafeMutableRawPointer?
        guard redisGetReplyFromReader(context, &reply) == REDIS_OK else { throw .malformed }
        guard let reply else { return nil }
        defer { freeReplyObject(reply) }
        return RedisReply(reply.assumingMemoryBound(to: redisReply.self))
    }
}
