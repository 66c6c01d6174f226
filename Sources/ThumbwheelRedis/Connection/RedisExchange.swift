import ThumbwheelCore

/// Commands that are sent one right after another, and what is called with their answers.
struct RedisExchange: Sendable {
    let commands: [RedisCommand]
    /// The time until which all answers must have come.
    let deadline: MonotonicTime
    /// Called once: with an answer to each command, or with nil if the server is not used or has failed.
    let completion: @Sendable ([RedisReply]?) -> Void
    private(set) var replies: [RedisReply] = []

    init(
        _ commands: [RedisCommand], deadline: MonotonicTime, completion: @escaping @Sendable ([RedisReply]?) -> Void
    ) {
        (self.commands, self.deadline, self.completion) = (commands, deadline, completion)
    }

    /// - Returns: whether all answers are there.
    mutating func receive(_ reply: RedisReply) -> Bool {
        replies.append(reply)
        return replies.count == commands.count
    }
}
