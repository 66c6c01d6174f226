/// A command for Redis: its name and its arguments, which may have any bytes.
struct RedisCommand: Equatable, Sendable {
    private(set) var arguments: [[UInt8]]

    init(_ arguments: [UInt8]...) { self.arguments = arguments }

    init(_ texts: String...) { arguments = texts.map { Array($0.utf8) } }

    /// The bytes of all arguments together, by which queues are bounded.
    var byteCount: Int { arguments.reduce(0) { $0 + $1.count } }

    /// Adds an argument at the end.
    func with(_ bytes: [UInt8]) -> RedisCommand {
        var command = self
        command.arguments.append(bytes)
        return command
    }

    /// Adds an argument at the end.
    func with(_ text: String) -> RedisCommand { with(Array(text.utf8)) }
}
