@testable import ThumbwheelRedis

/// Some servers that claim one value, and a Redis: everything that is under way between them, as a value, so that every
/// order in which things can happen can be tried.
///
/// Each server has two connections, one for commands and one for its subscription. On each connection the order is kept;
/// between connections there is none.
struct ClaimWorld: Hashable {
    enum Command: Hashable {
        case attempt, put
        case release(RedisClaimMessage)
    }
    enum Reply: Hashable {
        case attempt(isWon: Bool, hasValue: Bool)
        case other
    }
    enum Push: Hashable {
        case confirmed
        case message(RedisClaimMessage)
    }

    struct Server: Hashable {
        var claim = RedisClaimState()
        var commands: [Command] = []
        var replies: [Reply] = []
        /// What is to be told to the connection of the subscription: true to subscribe.
        var subscriptions: [Bool] = []
        var isSubscribed = false
        var pushes: [Push] = []
        var answer: RedisClaimState.Answer?
        /// Whether it makes the value now.
        var isMaking = false
        var isDead = false
    }

    enum Step: Hashable {
        case execute(Int)
        case reply(Int)
        case subscribe(Int)
        case push(Int)
        case make(Int)
        // Faults.
        case giveUp(Int)
        case loseSubscription(Int)
        case die(Int)
        case expire
    }

    var servers: [Server]
    /// Whether the value can be kept once it is made.
    let isStorable: Bool
    var hasValue = false
    var holder: Int?
    var makeCount = 0
    /// How many faults may still happen.
    var faultCount: Int

    init(serverCount: Int, faultCount: Int = 0, isStorable: Bool = true) {
        self.isStorable = isStorable
        servers = Array(repeating: Server(), count: serverCount)
        self.faultCount = faultCount
        for index in servers.indices { carryOut(RedisClaimState.first, of: index) }
    }

    /// Everything that may happen next, faults not included.
    var steps: [Step] {
        servers.indices.flatMap { index -> [Step] in
            let server = servers[index]
            var steps: [Step] = []
            if !server.commands.isEmpty { steps.append(.execute(index)) }
            if !server.subscriptions.isEmpty { steps.append(.subscribe(index)) }
            guard !server.isDead else { return steps }
            if !server.replies.isEmpty { steps.append(.reply(index)) }
            if !server.pushes.isEmpty { steps.append(.push(index)) }
            if server.isMaking { steps.append(.make(index)) }
            return steps
        }
    }

    var faults: [Step] {
        guard faultCount > 0 else { return [] }
        return servers.indices.flatMap { index -> [Step] in
            guard !servers[index].isDead else { return [] }
            let isOver = servers[index].answer != nil && !servers[index].isMaking
            return (isOver ? [] : [.giveUp(index), .die(index)])
                + (servers[index].isSubscribed ? [.loseSubscription(index)] : [])
        } + (holder == nil ? [] : [.expire])
    }

    mutating func take(_ step: Step) {
        switch step {
        case .execute(let index): execute(servers[index].commands.removeFirst(), of: index)
        case .reply(let index):
            if case .attempt(let isWon, let hasValue) = servers[index].replies.removeFirst() {
                carryOut(servers[index].claim.attempted(isWon: isWon, hasValue: hasValue), of: index)
            }
        case .subscribe(let index):
            servers[index].isSubscribed = servers[index].subscriptions.removeFirst()
            if servers[index].isSubscribed { servers[index].pushes.append(.confirmed) }
        case .push(let index):
            let push = servers[index].pushes.removeFirst()
            switch push {
            case .confirmed: carryOut(servers[index].claim.subscribed(), of: index)
            case .message(let message): carryOut(servers[index].claim.notified(message), of: index)
            }
        case .make(let index):
            servers[index].isMaking = false
            makeCount += 1
            if isStorable { servers[index].commands.append(.put) }
            carryOut(servers[index].claim.end(isStorable ? .lookAgain : .noValue), of: index)
        case .giveUp(let index):
            faultCount -= 1
            servers[index].isMaking = false
            carryOut(servers[index].claim.end(), of: index)
        case .loseSubscription(let index):
            faultCount -= 1
            servers[index].isSubscribed = false
            servers[index].pushes = []
            carryOut(servers[index].claim.unsubscribed(), of: index)
        case .die(let index):
            faultCount -= 1
            servers[index].isDead = true
            servers[index].isMaking = false
        case .expire:
            faultCount -= 1
            holder = nil
        }
    }

    private mutating func execute(_ command: Command, of index: Int) {
        switch command {
        case .attempt:
            let isWon = holder == nil
            if isWon { holder = index }
            servers[index].replies.append(.attempt(isWon: isWon, hasValue: hasValue))
        case .put:
            hasValue = true
            servers[index].replies.append(.other)
        case .release(let message):
            if holder == index { holder = nil }
            for other in servers.indices where servers[other].isSubscribed {
                servers[other].pushes.append(.message(message))
            }
            servers[index].replies.append(.other)
        }
    }

    private mutating func carryOut(_ actions: [RedisClaimState.Action], of index: Int) {
        for action in actions {
            switch action {
            case .attempt: servers[index].commands.append(.attempt)
            case .release(let message): servers[index].commands.append(.release(message))
            case .subscribe: servers[index].subscriptions.append(true)
            case .unsubscribe: servers[index].subscriptions.append(false)
            case .answer(let answer):
                precondition(servers[index].answer == nil, "answered twice")
                servers[index].answer = answer
                servers[index].isMaking = answer == .won
            }
        }
    }
}
